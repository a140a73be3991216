package io.ojs.test.jobs;

/**
 * What becomes of a job that is enqueued in a test.
 */
public enum TestMode {

	/** It is kept, and runs when the test says so. */
	FAKE,

	/** It runs before whoever has enqueued it goes on, on the same thread. */
	INLINE

}
