package io.ojs.benchmark.measure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.ojs.benchmark.contender.Handler;

/** Counts jobs that have run. */
final class Counter implements Handler {

	/** Without a single job for so long, something is broken. */
	private static final Duration STALLED = Duration.ofMinutes(3);

	private final LongAdder count = new LongAdder();

	private volatile long last;

	@Override
	public void handle(long sentAt) {
		this.count.increment();
		this.last = System.nanoTime();
	}

	long count() {
		return this.count.sum();
	}

	/** When the last one that was counted began. */
	long last() {
		return this.last;
	}

	/**
	 * Waits for as many jobs.
	 * @param target how many, since the beginning
	 * @throws IllegalStateException if none comes for minutes: one was lost
	 */
	void await(long target) throws InterruptedException {
		long seen = count();
		long since = System.nanoTime();
		for (long now = seen; now < target; now = count()) {
			if (now != seen) {
				seen = now;
				since = System.nanoTime();
			}
			if (System.nanoTime() - since > STALLED.toNanos()) {
				throw new IllegalStateException(
						"%d of %d jobs have run, and none for %s".formatted(now, target, STALLED));
			}
			TimeUnit.MICROSECONDS.sleep(500);
		}
	}

}
