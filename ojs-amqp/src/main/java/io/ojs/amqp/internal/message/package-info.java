/**
 * A job as an AMQP message: properties, headers, body (AMQP binding §6). Not part of the
 * API.
 */
@NullMarked
package io.ojs.amqp.internal.message;

import org.jspecify.annotations.NullMarked;
