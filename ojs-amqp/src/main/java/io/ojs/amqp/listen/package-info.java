/**
 * Working jobs: each delivery has one execution and is settled once (AMQP binding §5.2 to
 * §5.5).
 */
@NullMarked
package io.ojs.amqp.listen;

import org.jspecify.annotations.NullMarked;
