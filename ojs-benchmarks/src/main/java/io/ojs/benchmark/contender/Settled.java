package io.ojs.benchmark.contender;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits until nothing is open. */
final class Settled {

	private static final Duration PATIENCE = Duration.ofMinutes(30);

	private static final long PAUSE_MILLIS = 20;

	private Settled() {
	}

	/**
	 * Waits.
	 * @param what what it waits for, for the error
	 * @param condition whether it has come
	 * @throws IllegalStateException if it has not after half an hour
	 */
	static void await(String what, Callable<Boolean> condition) throws Exception {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.call()) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException("Not within " + PATIENCE + ": " + what);
			}
			TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
		}
	}

}
