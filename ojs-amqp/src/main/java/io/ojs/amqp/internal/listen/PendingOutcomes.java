package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.ojs.internal.thread.Threads;

/**
 * Counts and limits the jobs of one container that have succeeded and whose outcomes are
 * left to another thread. If the process is killed, these jobs run again. Their
 * deliveries are acked on the channels of this container, so it waits for them before it
 * closes its channels.
 */
final class PendingOutcomes {

	/**
	 * How long the container waits. The broker delivers messages again whose outcomes are
	 * recorded later.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration POLL = Duration.ofMillis(1);

	private final int most;

	private final BooleanSupplier open;

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Creates an instance.
	 * @param most how many outcomes may be left to other threads at a time
	 * @param open whether outcomes may be left to other threads; {@code false} once the
	 * container stops
	 */
	PendingOutcomes(int most, BooleanSupplier open) {
		this.most = most;
		this.open = open;
	}

	/**
	 * Whether an outcome may be left to another thread. If so, {@link #left()} must
	 * follow.
	 */
	boolean enter() {
		// Count first, then check: a stop first ends "open" and then reads the count.
		if (this.count.incrementAndGet() <= this.most && this.open.getAsBoolean()) {
			return true;
		}
		this.count.decrementAndGet();
		return false;
	}

	void left() {
		this.count.decrementAndGet();
	}

	/**
	 * Waits until no outcome is left, for a limited time, since the database may be away.
	 */
	void await() {
		Threads.await(() -> this.count.get() <= 0, PATIENCE, POLL);
	}

}
