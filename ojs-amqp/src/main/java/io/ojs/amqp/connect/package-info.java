/**
 * Connections to the broker: detecting a loss and reconnecting (AMQP binding §11.3).
 */
@NullMarked
package io.ojs.amqp.connect;

import org.jspecify.annotations.NullMarked;
