/**
 * Queues in a database: what is said about them, and what is done to all of their jobs.
 */
@NullMarked
package io.ojs.jdbc.queue;

import org.jspecify.annotations.NullMarked;
