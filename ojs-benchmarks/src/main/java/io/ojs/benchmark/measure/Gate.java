package io.ojs.benchmark.measure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.ojs.benchmark.contender.Handler;

/**
 * Makes threads wait while it is shut, and remembers when the first ones of a backlog had
 * passed.
 */
final class Gate implements Handler {

	private final Counter counter;

	private final int ahead;

	private volatile CountDownLatch latch = new CountDownLatch(0);

	private volatile long mark = Long.MAX_VALUE;

	/** 0 as long as the mark is not reached. */
	private final AtomicLong markedAt = new AtomicLong();

	/**
	 * Creates it, open.
	 * @param counter counts who passes
	 * @param ahead how many are the first ones
	 */
	Gate(Counter counter, int ahead) {
		this.counter = counter;
		this.ahead = ahead;
	}

	void shut() {
		this.latch = new CountDownLatch(1);
		this.mark = Long.MAX_VALUE;
		this.markedAt.set(0);
	}

	/**
	 * Lets all pass.
	 * @return how many will have passed, since the beginning, with the first ones
	 */
	long open() {
		this.mark = this.counter.count() + this.ahead;
		this.latch.countDown();
		return this.mark;
	}

	/** When the first ones had passed, by the JVM's clock; 0 if they have not yet. */
	long markedAt() {
		return this.markedAt.get();
	}

	@Override
	public void handle(long sentAt) {
		try {
			this.latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Ended while it was held up", ex);
		}
		this.counter.handle(sentAt);
		if (this.markedAt.get() == 0 && this.counter.count() >= this.mark) {
			this.markedAt.compareAndSet(0, System.nanoTime());
		}
	}

}
