package io.ojs.benchmark.contender;

/** What every job does: next to nothing. Called by many threads. */
@FunctionalInterface
public interface Handler {

	/**
	 * A job begins.
	 * @param sentAt when it was handed over
	 */
	void handle(long sentAt);

}
