/**
 * Publishing jobs to the broker with confirms (AMQP binding §5.1). Not part of the API.
 * Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.publish;

import org.jspecify.annotations.NullMarked;
