package io.ojs.retry;

/**
 * What a handler asks for when it fails; it overrules the policy (OJS Retry §7).
 */
public enum FailureResponse {

	/** Whatever the policy says. */
	RETRY,

	/** Let the job go: no retry, no dead letter. */
	DISCARD,

	/** Put the job into the dead letter queue at once. */
	DEAD_LETTER,

	/** Let the job go as one that is known to have failed for good. */
	FAIL

}
