package io.ojs.web;

/**
 * What somebody must be allowed to do to call an endpoint.
 */
public enum Access {

	/** Nothing: whoever reaches the application may call it. */
	PUBLIC,

	/** To look. */
	READ,

	/** To enqueue, cancel and work jobs. */
	WRITE,

	/** To do what concerns others: queues, dead letters, many jobs at once. */
	ADMIN,

	/** To see arguments that are encrypted. */
	CODEC

}
