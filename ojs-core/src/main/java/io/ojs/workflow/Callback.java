package io.ojs.workflow;

import java.util.Locale;

/**
 * When a batch enqueues a callback (OJS Workflows §6.3).
 */
public enum Callback {

	/** When all jobs have ended, whatever their outcome. */
	ON_COMPLETE,

	/** When all jobs have completed. */
	ON_SUCCESS,

	/** When all jobs have ended and at least one has failed. */
	ON_FAILURE;

	/**
	 * Returns the name of this callback in JSON.
	 * @return the name, such as {@code on_success}
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
