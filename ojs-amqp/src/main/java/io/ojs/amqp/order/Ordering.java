package io.ojs.amqp.order;

/**
 * What a queue promises about the order of its jobs.
 */
public enum Ordering {

	/** Nothing: as many jobs at a time as there are consumers. The default. */
	NONE,

	/**
	 * One job at a time, whatever the number of processes, in the order of enqueueing.
	 */
	STRICT,

	/** The same for all jobs that have the same key; different keys run side by side. */
	KEY;

	/**
	 * Whether jobs run in an order.
	 * @return whether they do
	 */
	public boolean isOrdered() {
		return this != NONE;
	}

}
