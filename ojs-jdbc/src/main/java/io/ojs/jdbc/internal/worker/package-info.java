/**
 * Workers over HTTP in a database: their heartbeats, the progress of their runs, and the
 * queues from which they fetch. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.worker;

import org.jspecify.annotations.NullMarked;
