package io.ojs.store;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Something that is done again and again.
 *
 * @param what what cannot be done if it fails, for the log: a sentence without its end
 * @param interval how long to pause at least after it has failed
 * @param action does it, and says how long to pause before the next time; what it throws
 * is logged once, and it is tried again later
 */
public record PeriodicTask(String what, Duration interval, Supplier<Duration> action) {

	/**
	 * Something that is done at an interval.
	 * @param what what cannot be done if it fails, for the log: a sentence without its
	 * end
	 * @param interval how long to pause after each time; shortened by up to a quarter at
	 * random, so that instances do not do it at the same moment
	 * @param action does it
	 */
	public PeriodicTask(String what, Duration interval, Runnable action) {
		this(what, interval, () -> {
			action.run();
			return Poller.jittered(interval);
		});
	}

}
