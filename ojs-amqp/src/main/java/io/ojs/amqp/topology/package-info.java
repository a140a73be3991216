/**
 * Exchanges, queues and bindings: what they are called, how they are declared (AMQP
 * binding §4, §7).
 */
@NullMarked
package io.ojs.amqp.topology;

import org.jspecify.annotations.NullMarked;
