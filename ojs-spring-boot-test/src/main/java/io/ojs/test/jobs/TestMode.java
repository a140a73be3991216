package io.ojs.test.jobs;

/**
 * When a job runs that a test enqueues.
 */
public enum TestMode {

	/** When the test runs it; until then, the job is kept. */
	FAKE,

	/** At once, on the thread that enqueues it and before enqueueing returns. */
	INLINE

}
