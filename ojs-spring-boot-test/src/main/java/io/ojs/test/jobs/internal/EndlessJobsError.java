package io.ojs.test.jobs.internal;

/**
 * Thrown if jobs enqueue further jobs without an end. It is an error, so that a handler
 * that catches exceptions does not keep it from ending the test.
 */
final class EndlessJobsError extends AssertionError {

	private static final long serialVersionUID = 1L;

	EndlessJobsError(String message) {
		super(message);
	}

}
