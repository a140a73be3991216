package io.ojs.workflow;

import java.util.Locale;

/**
 * When a batch enqueues a job of its own (OJS Workflows §6.3).
 */
public enum Callback {

	/** When all jobs have ended, however. */
	ON_COMPLETE,

	/** When all jobs have completed. */
	ON_SUCCESS,

	/** When all jobs have ended and one of them has failed. */
	ON_FAILURE;

	/**
	 * The name of this callback in JSON.
	 * @return such as {@code on_success}
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether it is enqueued when all jobs have ended. */
	boolean isFor(boolean success) {
		return this == ON_COMPLETE || (this == ON_SUCCESS) == success;
	}

}
