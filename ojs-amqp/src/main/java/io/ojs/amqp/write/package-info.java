/**
 * Combined writes to the socket, for acks of short jobs and for batches.
 */
@NullMarked
package io.ojs.amqp.write;

import org.jspecify.annotations.NullMarked;
