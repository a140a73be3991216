/**
 * Publishing jobs to the broker with confirms (AMQP binding §5.1).
 */
@NullMarked
package io.ojs.amqp.publish;

import org.jspecify.annotations.NullMarked;
