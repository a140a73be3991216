package io.ojs.web;

/**
 * The right that a caller needs to call an endpoint.
 */
public enum Access {

	/** No right: every caller that reaches the application may call the endpoint. */
	PUBLIC,

	/** The right to read. */
	READ,

	/** The right to enqueue, cancel and work jobs. */
	WRITE,

	/**
	 * The right to change what concerns other callers: queues, dead letters, many jobs at
	 * once.
	 */
	ADMIN,

	/** The right to see encrypted arguments in plain text. */
	CODEC

}
