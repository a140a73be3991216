/**
 * Access to messages that wait at the broker in queues whose jobs the job store delivers.
 * Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.fetch;

import org.jspecify.annotations.NullMarked;
