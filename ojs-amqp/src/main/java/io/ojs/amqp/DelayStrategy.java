package io.ojs.amqp;

/**
 * Where scheduled jobs and retries wait.
 */
public enum DelayStrategy {

	/**
	 * In queues: scheduled jobs in delay levels, retries in retry queues. The default.
	 */
	LEVELS,

	/** In an exchange of the plugin {@code rabbitmq_delayed_message_exchange}. */
	PLUGIN

}
