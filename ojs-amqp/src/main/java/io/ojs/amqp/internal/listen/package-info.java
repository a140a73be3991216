/**
 * Working jobs: each delivery has one execution and is settled once (AMQP binding §5.2 to
 * §5.5). Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.listen;

import org.jspecify.annotations.NullMarked;
