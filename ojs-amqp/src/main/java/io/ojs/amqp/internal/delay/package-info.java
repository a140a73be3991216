/**
 * The queues and exchanges in which scheduled jobs and retries wait (AMQP binding §8).
 * Not part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.delay;

import org.jspecify.annotations.NullMarked;
