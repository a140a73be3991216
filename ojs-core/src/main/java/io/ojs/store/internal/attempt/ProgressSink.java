package io.ojs.store.internal.attempt;

/**
 * Receives the progress of jobs that handlers of this application run.
 */
@FunctionalInterface
public interface ProgressSink {

	/** Ignores all progress. */
	ProgressSink NONE = (lease, value, message) -> {
	};

	/**
	 * Receives the progress of one job. Does not wait.
	 * @param value 0.0 to 1.0
	 * @param message what the job is doing, for people to read
	 */
	void report(Lease lease, double value, String message);

}
