package io.ojs.queue;

/**
 * The way of a queue's jobs from the job store to workers.
 */
public enum Delivery {

	/** The broker delivers messages, and workers claim their jobs in the store. */
	BROKER,

	/**
	 * The store delivers jobs: workers fetch them, and the broker has no message of them.
	 */
	STORE,

	/**
	 * The store hands jobs over to the broker. Their workers are other programs, which
	 * need not know the store.
	 */
	HAND_OVER

}
