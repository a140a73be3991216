/**
 * Jobs on RabbitMQ: why a job could not be sent, names on the broker, and how to change
 * what workers use.
 */
@NullMarked
package io.ojs.amqp;

import org.jspecify.annotations.NullMarked;
