package io.ojs.internal.stats;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Numbers that many threads add to and one takes away. What a thread adds is taken once,
 * whether before or after.
 */
final class Tally {

	private static final int RUNS = Numbers.Outcome.values().length;

	private static final int WAITS = RUNS + Durations.BUCKETS;

	private final AtomicLongArray counts = new AtomicLongArray(WAITS + Durations.BUCKETS);

	void add(Numbers.Outcome outcome) {
		this.counts.incrementAndGet(outcome.ordinal());
	}

	void ran(Duration duration) {
		this.counts.incrementAndGet(RUNS + Durations.bucket(duration));
	}

	void waited(Duration duration) {
		this.counts.incrementAndGet(WAITS + Durations.bucket(duration));
	}

	/**
	 * Takes all numbers away.
	 * @return whether there were any
	 */
	boolean drainTo(Numbers numbers) {
		boolean any = false;
		for (int i = 0; i < this.counts.length(); i++) {
			long count = (this.counts.get(i) != 0) ? this.counts.getAndSet(i, 0) : 0;
			if (count != 0) {
				any = true;
				if (i < RUNS) {
					numbers.add(Numbers.Outcome.values()[i], count);
				}
				else if (i < WAITS) {
					numbers.runs().add(i - RUNS, count);
				}
				else {
					numbers.waits().add(i - WAITS, count);
				}
			}
		}
		return any;
	}

}
