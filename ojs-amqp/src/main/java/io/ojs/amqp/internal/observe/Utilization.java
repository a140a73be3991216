package io.ojs.amqp.internal.observe;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How busy the consumers of a queue were during the last minute: the time that they
 * processed jobs, divided by the time that they could have.
 */
final class Utilization {

	/** The period that the ratio covers. */
	static final Duration WINDOW = Duration.ofMinutes(1);

	private static final long WINDOW_NANOS = WINDOW.toNanos();

	/** The precision of the start of the period. */
	private static final long STEP_NANOS = Duration.ofSeconds(1).toNanos();

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	/** Earlier sums, the oldest first. One of them is older than the period. */
	private final Deque<Sample> samples = new ArrayDeque<>();

	private int consumers;

	private int running;

	/** The sum of all consumers' processing times up to {@link #at}, in nanoseconds. */
	private long busy;

	private long at;

	Utilization(int consumers, LongSupplier nanoTime) {
		this.consumers = consumers;
		this.nanoTime = nanoTime;
		this.at = nanoTime.getAsLong();
		this.samples.add(new Sample(this.at, 0));
	}

	void consumers(int count) {
		this.lock.lock();
		try {
			this.consumers = count;
		}
		finally {
			this.lock.unlock();
		}
	}

	void begin() {
		change(1);
	}

	void end() {
		change(-1);
	}

	private void change(int by) {
		this.lock.lock();
		try {
			advance();
			this.running += by;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The ratio.
	 * @return from 0.0, all consumers were idle, to 1.0, all were busy all the time
	 */
	double ratio() {
		this.lock.lock();
		try {
			advance();
			long start = Math.max(this.at - WINDOW_NANOS, this.samples.getFirst().at());
			long possible = (this.at - start) * this.consumers;
			// A customizer may allow more consumers than the configuration.
			return (possible > 0) ? Math.min(1.0, (double) (this.busy - busyAt(start)) / possible) : 0.0;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void advance() {
		long now = this.nanoTime.getAsLong();
		if (now - this.at >= STEP_NANOS && this.at > this.samples.getLast().at()) {
			// Nothing has changed since, so the sum grew on a straight line up to the
			// next sample.
			this.samples.add(new Sample(this.at, this.busy));
		}
		this.busy += this.running * (now - this.at);
		this.at = now;
		if (now - this.samples.getLast().at() >= STEP_NANOS) {
			this.samples.add(new Sample(now, this.busy));
			forget(now - WINDOW_NANOS);
		}
	}

	private void forget(long before) {
		Sample oldest = this.samples.removeFirst();
		while (!this.samples.isEmpty() && this.samples.getFirst().at() <= before) {
			oldest = this.samples.removeFirst();
		}
		this.samples.addFirst(oldest);
	}

	private long busyAt(long time) {
		Sample before = this.samples.getFirst();
		for (Sample sample : this.samples) {
			if (sample.at() > time) {
				double part = (double) (time - before.at()) / (sample.at() - before.at());
				return before.busy() + (long) (part * (sample.busy() - before.busy()));
			}
			before = sample;
		}
		return before.busy();
	}

	/**
	 * A sample of the sum.
	 *
	 */
	private record Sample(long at, long busy) {
	}

}
