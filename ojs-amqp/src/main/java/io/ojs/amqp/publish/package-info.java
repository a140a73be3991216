/**
 * Getting jobs to the broker, and knowing that it has them (AMQP binding §5.1).
 */
@NullMarked
package io.ojs.amqp.publish;

import org.jspecify.annotations.NullMarked;
