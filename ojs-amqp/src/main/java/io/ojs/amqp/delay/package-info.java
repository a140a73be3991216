/**
 * Where jobs wait (AMQP binding §8).
 */
@NullMarked
package io.ojs.amqp.delay;

import org.jspecify.annotations.NullMarked;
