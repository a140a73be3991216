/**
 * Combined writes to the socket, for acks of short jobs and for batches. Not part of the
 * API.
 */
@NullMarked
package io.ojs.amqp.internal.write;

import org.jspecify.annotations.NullMarked;
