/**
 * Connections to the broker: detecting a loss and reconnecting (AMQP binding §11.3). Not
 * part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.connect;

import org.jspecify.annotations.NullMarked;
