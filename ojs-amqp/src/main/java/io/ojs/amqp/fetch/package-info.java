/**
 * Access to messages that wait at the broker in queues whose jobs the job store delivers.
 */
@NullMarked
package io.ojs.amqp.fetch;

import org.jspecify.annotations.NullMarked;
