package io.ojs.store.internal;

import java.time.Duration;
import java.util.function.Supplier;

import io.ojs.retry.internal.Backoff;

/**
 * A task that runs again and again.
 *
 * @param what what cannot be done if the task fails, for the log: a sentence without its
 * end
 * @param interval the shortest pause after a failure
 * @param action runs the task and returns the pause before the next run; what it throws
 * is logged when failures begin, and the task is tried again later
 */
public record PeriodicTask(String what, Duration interval, Supplier<Duration> action) {

	/**
	 * Creates a task that runs at an interval.
	 * @param what what cannot be done if the task fails, for the log: a sentence without
	 * its end
	 * @param interval the pause after each run; shortened by up to a quarter at random,
	 * so that instances do not run the task at the same moment
	 */
	public PeriodicTask(String what, Duration interval, Runnable action) {
		this(what, interval, () -> {
			action.run();
			return Backoff.jittered(interval);
		});
	}

}
