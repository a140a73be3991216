/**
 * Queues in a database: their configurations and states, and changes of all their jobs.
 * Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.queue;

import org.jspecify.annotations.NullMarked;
