/**
 * Jobs that are kept: the interfaces of the durable job store, and what works on top of
 * it whatever the database is.
 */
@NullMarked
package io.ojs.store;

import org.jspecify.annotations.NullMarked;
