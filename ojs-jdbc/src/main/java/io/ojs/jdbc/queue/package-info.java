/**
 * Queues in a database: their configurations and states, and changes of all their jobs.
 */
@NullMarked
package io.ojs.jdbc.queue;

import org.jspecify.annotations.NullMarked;
