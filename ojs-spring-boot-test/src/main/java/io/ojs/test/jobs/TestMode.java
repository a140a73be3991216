package io.ojs.test.jobs;

/**
 * When an enqueued job runs in a test.
 */
public enum TestMode {

	/** When the test runs it; until then, the job is kept in memory. */
	FAKE,

	/** At once, on the thread that enqueues it and before enqueueing returns. */
	INLINE

}
