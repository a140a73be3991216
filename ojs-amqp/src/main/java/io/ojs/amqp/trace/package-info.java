/**
 * One trace from the enqueue to the last attempt (AMQP binding §12.2).
 */
@NullMarked
package io.ojs.amqp.trace;

import org.jspecify.annotations.NullMarked;
