package io.ojs.test.jobs;

/**
 * Jobs go on and on. Ends the test, whatever handlers make of what is thrown.
 */
final class EndlessJobsError extends AssertionError {

	private static final long serialVersionUID = 1L;

	EndlessJobsError(String message) {
		super(message);
	}

}
