/**
 * A job as an AMQP message: properties, headers, body (AMQP binding §6).
 */
@NullMarked
package io.ojs.amqp.message;

import org.jspecify.annotations.NullMarked;
