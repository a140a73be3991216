package io.ojs.amqp;

/**
 * The order in which the jobs of a queue run.
 */
public enum Ordering {

	/** No order: as many jobs at a time as there are consumers. The default. */
	NONE,

	/**
	 * One job at a time, over all processes, in the order of enqueueing.
	 */
	STRICT,

	/**
	 * As {@link #STRICT} for jobs with the same key; jobs with different keys run side by
	 * side.
	 */
	KEY;

	/** Whether jobs run in an order. */
	public boolean isOrdered() {
		return this != NONE;
	}

}
