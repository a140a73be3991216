package io.ojs.store.attempt;

/**
 * Hears how far jobs are that handlers of this application run.
 */
@FunctionalInterface
public interface ProgressSink {

	/** Nobody wants to know. */
	ProgressSink NONE = (lease, value, message) -> {
	};

	/**
	 * A handler said how far it is. Waits for nobody.
	 * @param lease the right by which the job is run
	 * @param value 0.0 to 1.0
	 * @param message what it is doing, for a person
	 */
	void report(Lease lease, double value, String message);

}
