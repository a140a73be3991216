/**
 * Replay dead letters from the queues of the broker, without a job store.
 */
@NullMarked
package io.ojs.amqp.deadletter;

import org.jspecify.annotations.NullMarked;
