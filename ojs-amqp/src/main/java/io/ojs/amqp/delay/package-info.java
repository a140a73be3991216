/**
 * The queues and exchanges in which scheduled jobs and retries wait (AMQP binding §8).
 */
@NullMarked
package io.ojs.amqp.delay;

import org.jspecify.annotations.NullMarked;
