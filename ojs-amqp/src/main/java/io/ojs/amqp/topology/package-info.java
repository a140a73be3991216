/**
 * Exchanges, queues and bindings: their names and their declaration (AMQP binding §4,
 * §7).
 */
@NullMarked
package io.ojs.amqp.topology;

import org.jspecify.annotations.NullMarked;
