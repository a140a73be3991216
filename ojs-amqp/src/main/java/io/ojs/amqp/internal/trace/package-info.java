/**
 * Traces from the enqueue of a job to its last attempt (AMQP binding §12.2). Not part of
 * the API.
 */
@NullMarked
package io.ojs.amqp.internal.trace;

import org.jspecify.annotations.NullMarked;
