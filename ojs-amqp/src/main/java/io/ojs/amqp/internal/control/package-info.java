/**
 * Requests about enqueued jobs: CANCEL, BEAT and INFO (AMQP binding §5.6 to §5.8). Not
 * part of the API.
 */
@NullMarked
package io.ojs.amqp.internal.control;

import org.jspecify.annotations.NullMarked;
