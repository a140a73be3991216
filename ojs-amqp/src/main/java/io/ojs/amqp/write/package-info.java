/**
 * How frames get to the socket: acks of short jobs, and batches, together.
 */
@NullMarked
package io.ojs.amqp.write;

import org.jspecify.annotations.NullMarked;
