/**
 * Traces from the enqueue of a job to its last attempt (AMQP binding §12.2).
 */
@NullMarked
package io.ojs.amqp.trace;

import org.jspecify.annotations.NullMarked;
