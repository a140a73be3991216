package io.ojs.benchmark.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.Map;

/**
 * The heap of an application before and after it has scheduled jobs, and of one that is
 * started when they are there already.
 */
final class Heap implements Scenario.Procedure {

	private static final Duration DELAY = Duration.ofHours(2);

	private static final int UNIT = 100_000;

	/** Two looks in a row that differ by less are the same. */
	private static final long SAME = 64 * 1024;

	private static final int LOOKS = 20;

	@Override
	public void run(Task task, Results results) throws Exception {
		long before;
		long after;
		try (SmallApplication application = SmallApplication.start(task)) {
			// Whatever the first jobs have loaded is no cost of the others.
			application.schedule(UNIT / 100, DELAY);
			before = used();
			application.schedule(task.backlog(), DELAY);
			after = used();
		}
		try (SmallApplication application = SmallApplication.start(task)) {
			application.schedule(UNIT / 100, DELAY);
			long restarted = used();
			double units = task.backlog() / (double) UNIT;
			results.add(task.measurement("heap", Map.of("bytes.per.100k", (after - before) / units,
					"bytes.per.100k.restarted", (restarted - before) / units, "bytes", (double) before)));
		}
	}

	/** What is left when no collection finds more. */
	private static long used() throws InterruptedException {
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		long least = Long.MAX_VALUE;
		for (int i = 0; i < LOOKS; i++) {
			System.gc();
			long now = memory.getHeapMemoryUsage().getUsed();
			if (least - now < SAME && i > 2) {
				return Math.min(least, now);
			}
			least = Math.min(least, now);
			Thread.sleep(500);
		}
		return least;
	}

}
