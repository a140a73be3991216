/**
 * A network that fails when a test makes it fail. Begin at
 * {@link io.ojs.test.fault.FaultProxy#to(io.ojs.test.broker.RabbitBroker)}.
 */
@NullMarked
package io.ojs.test.internal.fault;

import org.jspecify.annotations.NullMarked;
