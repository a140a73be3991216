/**
 * A real RabbitMQ for tests, with or without Docker. Begin at
 * {@link io.ojs.test.broker.RabbitBroker#shared()}.
 */
@NullMarked
package io.ojs.test.broker;

import org.jspecify.annotations.NullMarked;
