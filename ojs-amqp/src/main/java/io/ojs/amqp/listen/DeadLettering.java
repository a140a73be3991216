package io.ojs.amqp.listen;

/**
 * How a job that failed for good gets to the dead letter queue (AMQP binding §5.5).
 */
public enum DeadLettering {

	/**
	 * Published to the dead letter exchange with what went wrong, confirmed, then acked.
	 * The default.
	 */
	PUBLISH,

	/**
	 * Nacked without requeue, so that the broker moves it, as it is: nobody can add what
	 * went wrong.
	 */
	NACK

}
