package io.ojs.benchmark.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contender;
import io.ojs.benchmark.contender.Handler;

/**
 * A backlog is worked off. Workers warm up, and are then held up by their jobs while the
 * backlog is enqueued; when all is quiet, they are let go.
 */
final class Drain implements Scenario.Steps {

	/**
	 * So many more jobs are enqueued and not measured: some of the first ones have been
	 * fetched by workers already.
	 */
	private static final int AHEAD = 2_000;

	/** Backlogs may be worked by other code than what comes one by one. */
	private static final int WARM_UP = 10_000;

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Counter counter = new Counter();
		Gate gate = new Gate(counter);
		contender.work(gate);
		Throughput.Enqueueing enqueueing = Throughput.many(task, contender);
		Throughput.warmUp(task, contender, counter, enqueueing);
		drain(task, contender, gate, enqueueing, WARM_UP);
		results.add(task.measurement("drain", drain(task, contender, gate, enqueueing, task.backlog())));
	}

	private static Map<String, Double> drain(Task task, Contender contender, Gate gate,
			Throughput.Enqueueing enqueueing, int backlog) throws Exception {
		gate.shut();
		enqueueing.enqueue(AHEAD + backlog);
		Quiet.await(task);
		long mark = gate.open();
		gate.counter.await(mark);
		CpuTimes before = CpuTimes.now(task);
		gate.counter.await(mark + backlog);
		long end = gate.counter.last();
		contender.settle();
		Map<String, Double> figures = new LinkedHashMap<>();
		CpuTimes.now(task).since(before, backlog, figures);
		figures.put("seconds", (end - gate.markedAt.get()) / (double) TimeUnit.SECONDS.toNanos(1));
		figures.put("rate", backlog / figures.get("seconds"));
		return figures;
	}

	/**
	 * Holds up whoever comes while it is shut, and remembers when the first ones of a
	 * backlog had passed.
	 */
	private static final class Gate implements Handler {

		private final Counter counter;

		private volatile CountDownLatch latch = new CountDownLatch(0);

		private volatile long mark = Long.MAX_VALUE;

		/** 0 as long as it is not reached. */
		private final AtomicLong markedAt = new AtomicLong();

		Gate(Counter counter) {
			this.counter = counter;
		}

		void shut() {
			this.latch = new CountDownLatch(1);
			this.mark = Long.MAX_VALUE;
			this.markedAt.set(0);
		}

		/** Returns how many will have passed when it is measured. */
		long open() {
			this.mark = this.counter.count() + AHEAD;
			this.latch.countDown();
			return this.mark;
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

}
