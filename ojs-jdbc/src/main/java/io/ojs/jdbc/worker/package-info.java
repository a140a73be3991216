/**
 * Workers over HTTP in a database: their heartbeats, the progress of their runs, and the
 * queues from which they fetch.
 */
@NullMarked
package io.ojs.jdbc.worker;

import org.jspecify.annotations.NullMarked;
