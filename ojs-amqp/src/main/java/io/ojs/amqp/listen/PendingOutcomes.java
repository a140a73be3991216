package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Counts jobs of one container that have succeeded while it is left to another thread to
 * record that, and limits them: a process that is killed leaves them to run again. Their
 * deliveries are acked on the channels of this container, so those are not to be closed
 * before.
 */
final class PendingOutcomes {

	/** Longer, and the broker hands out again what is recorded by then. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final long POLL_MILLIS = 1;

	private final int most;

	private final BooleanSupplier open;

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Creates it.
	 * @param most how many outcomes may be left to others at a time
	 * @param open whether outcomes may be left to others; not any more when the container
	 * stops
	 */
	PendingOutcomes(int most, BooleanSupplier open) {
		this.most = most;
		this.open = open;
	}

	/** Whether an outcome may be left; then {@link #left()} follows. */
	boolean enter() {
		// Counted before it is asked: who closes asks the other way round.
		if (this.count.incrementAndGet() <= this.most && this.open.getAsBoolean()) {
			return true;
		}
		this.count.decrementAndGet();
		return false;
	}

	void left() {
		this.count.decrementAndGet();
	}

	/** Waits until none is left, but not for ever: the database may be away. */
	void await() {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		try {
			while (this.count.get() > 0 && System.nanoTime() < deadline) {
				Thread.sleep(POLL_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
