package io.ojs.benchmark.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contender;
import io.ojs.benchmark.contender.Handler;
import io.ojs.benchmark.contender.Payload;
import io.ojs.benchmark.contender.Way;

/**
 * A backlog waits before the first worker comes. What comes before it in the queue is the
 * warm-up: six times as many jobs, at most {@value #WARM_UP}.
 */
final class Drain implements Scenario.Steps {

	/** What it takes the compilers. */
	private static final int WARM_UP = 60_000;

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		int backlog = task.backlog();
		int warmUp = Math.min(WARM_UP, 6 * backlog);
		int all = backlog + warmUp;
		if (task.contender().ways().contains(Way.BULK)) {
			Throughput.bulk(contender, all);
		}
		else {
			for (int i = 0; i < all; i++) {
				contender.enqueue(Payload.now());
			}
		}
		Counter counter = new Counter();
		Marked marked = new Marked(counter, warmUp);
		contender.work(marked);
		counter.await(warmUp);
		CpuTimes before = CpuTimes.now(task);
		counter.await(all);
		long end = counter.last();
		contender.settle();
		Map<String, Double> figures = new LinkedHashMap<>();
		CpuTimes.now(task).since(before, backlog, figures);
		figures.put("seconds", (end - marked.at) / (double) TimeUnit.SECONDS.toNanos(1));
		figures.put("rate", backlog / figures.get("seconds"));
		results.add(task.measurement("drain", figures));
	}

	/** Remembers when the warm-up was over. */
	private static final class Marked implements Handler {

		private final Counter counter;

		private final long mark;

		private volatile long at;

		Marked(Counter counter, long mark) {
			this.counter = counter;
			this.mark = mark;
		}

		@Override
		public void handle(long sentAt) {
			this.counter.handle(sentAt);
			if (this.at == 0 && this.counter.count() >= this.mark) {
				this.at = System.nanoTime();
			}
		}

	}

}
