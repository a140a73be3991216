/**
 * Jobs that are kept: the interface of the durable job store, its transactions and
 * errors, and what is done in it again and again.
 */
@NullMarked
package io.ojs.store;

import org.jspecify.annotations.NullMarked;
