/**
 * Exchanges, queues and bindings: their names and their declaration (AMQP binding §4,
 * §7). Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.topology;

import org.jspecify.annotations.NullMarked;
