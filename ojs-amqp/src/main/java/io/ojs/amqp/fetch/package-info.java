/**
 * Queues at the broker whose jobs are worked without it.
 */
@NullMarked
package io.ojs.amqp.fetch;

import org.jspecify.annotations.NullMarked;
