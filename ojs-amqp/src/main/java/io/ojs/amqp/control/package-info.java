/**
 * Requests about enqueued jobs: CANCEL, BEAT and INFO (AMQP binding §5.6 to §5.8).
 */
@NullMarked
package io.ojs.amqp.control;

import org.jspecify.annotations.NullMarked;
