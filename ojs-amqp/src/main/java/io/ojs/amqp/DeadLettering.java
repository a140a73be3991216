package io.ojs.amqp;

/**
 * How a job that failed for good gets to the dead letter queue (AMQP binding §5.5).
 */
public enum DeadLettering {

	/**
	 * The worker publishes it to the dead letter exchange with its error, waits for the
	 * confirm, and acks the delivery. The default.
	 */
	PUBLISH,

	/**
	 * The worker nacks it without requeue, and the broker moves it as it is, without an
	 * error.
	 */
	NACK

}
