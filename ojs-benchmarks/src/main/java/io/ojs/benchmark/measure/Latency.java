package io.ojs.benchmark.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contender;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long it takes from the call that enqueues to the first line of the handler, which
 * is in another process. Says {@link #READY} when it listens.
 */
final class Latency implements Scenario.Steps {

	/** What it writes when the other process may begin. */
	static final String READY = "ready";

	private static final double[] PERCENTILES = { 10, 25, 50, 75, 90, 95, 99, 99.9, 100 };

	/** How long it waits at least before it measures, in parts. */
	private static final int REST = 2;

	/** Then it measures, whatever the compilers still do. */
	private static final int LONGEST_REST = 20;

	/** How long it is measured: there are few jobs to a percentile. */
	private static final int PARTS = 6;

	private static final long HIGHEST = TimeUnit.MINUTES.toNanos(10);

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Recorder recorder = new Recorder();
		contender.work(recorder::record);
		System.out.println(READY);
		// The other process is in a hurry at first, and tells when that is over.
		System.in.read();
		long part = Math.round(task.seconds() * 1000);
		awaitCompilers(part);
		recorder.histogram.reset();
		CpuTimes before = CpuTimes.now(task);
		TimeUnit.MILLISECONDS.sleep(PARTS * part);
		Histogram seen = recorder.histogram.copy();
		CpuTimes after = CpuTimes.now(task);
		if (seen.getTotalCount() == 0) {
			// It would be the best of all.
			throw new IllegalStateException("No job has come");
		}
		Map<String, Double> figures = new LinkedHashMap<>();
		for (double percentile : PERCENTILES) {
			String name = "p" + ((percentile % 1 == 0) ? String.valueOf((int) percentile) : String.valueOf(percentile));
			figures.put(name, seen.getValueAtPercentile(percentile) / 1e6);
		}
		figures.put("jobs", (double) seen.getTotalCount());
		after.since(before, seen.getTotalCount(), figures);
		results.add(task.measurement("latency", figures));
	}

	/**
	 * This process, too, has a warm-up: it comes to other code when there is no hurry.
	 */
	private static void awaitCompilers(long part) throws InterruptedException {
		Compilers compilers = new Compilers();
		boolean compiled = false;
		for (int parts = 0; parts < REST || (parts < LONGEST_REST && !compiled); parts++) {
			TimeUnit.MILLISECONDS.sleep(part);
			compiled = compilers.areQuiet();
		}
	}

	private static final class Recorder {

		private final ConcurrentHistogram histogram = new ConcurrentHistogram(1_000, HIGHEST, 3);

		void record(long sentAt) {
			this.histogram.recordValue(Math.min(HIGHEST, Math.max(0, System.nanoTime() - sentAt)));
		}

	}

}
