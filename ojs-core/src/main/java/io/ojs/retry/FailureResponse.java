package io.ojs.retry;

/**
 * What a handler requests for its job when it fails; overrules the retry policy (OJS
 * Retry §7).
 */
public enum FailureResponse {

	/** The retry policy decides. */
	RETRY,

	/** The job is discarded: no retry, no dead letter. */
	DISCARD,

	/** The job becomes a dead letter without a retry. */
	DEAD_LETTER,

	/**
	 * The job has failed for good. OJS Retry §7.1 gives it the consequences of
	 * {@link #DISCARD}, no retry and no dead letter: the name only says that the handler
	 * regards this as a failure.
	 */
	FAIL

}
