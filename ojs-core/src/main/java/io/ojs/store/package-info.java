/**
 * The durable job store: its interface, its transactions and errors, and the tasks that
 * run in it periodically.
 */
@NullMarked
package io.ojs.store;

import org.jspecify.annotations.NullMarked;
