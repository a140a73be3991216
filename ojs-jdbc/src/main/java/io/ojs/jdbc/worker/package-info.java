/**
 * Workers over HTTP in a database: what they say of themselves and of their runs, and the
 * queues that they fetch from.
 */
@NullMarked
package io.ojs.jdbc.worker;

import org.jspecify.annotations.NullMarked;
