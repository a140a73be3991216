package io.ojs.benchmark.measure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contender;
import io.ojs.benchmark.contender.Payload;
import io.ojs.benchmark.contender.Way;

/**
 * Jobs are enqueued and worked by one process: first as a warm-up, then in each way for
 * as many jobs as fit into the time at the pace that was seen before.
 */
final class Throughput implements Scenario.Steps {

	/** Of a call that takes many. */
	static final int BATCH = 500;

	private static final int WINDOW = 1_000;

	private static final int THREADS = 16;

	/** Compilers need it: what is big is measured cold otherwise. */
	private static final double WARM_UP = 5;

	/** Of the second and later ways: jobs one by one go through code of their own. */
	private static final double FURTHER_WARM_UP = 2;

	/** Then it is measured, whatever the compilers still do. */
	private static final double LONGEST_WARM_UP = 20;

	private static final Duration GRACE = Duration.ofMinutes(10);

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Counter counter = new Counter();
		contender.work(counter);
		for (NamedWay way : ways(task, contender)) {
			results.add(task.measurement(way.name(), figures(task, contender, counter, way.enqueueing())));
		}
	}

	/** Those of the contender that are asked for. */
	static List<NamedWay> ways(Task task, Contender contender) {
		List<NamedWay> all = new ArrayList<>();
		if (task.contender().ways().contains(Way.BULK)) {
			all.add(new NamedWay("bulk", (jobs) -> bulk(contender, jobs)));
		}
		if (task.contender().ways().contains(Way.SINGLE)) {
			all.add(new NamedWay("single", (jobs) -> single(contender, jobs)));
			all.add(new NamedWay("threads", (jobs) -> threads(contender, jobs)));
		}
		if (task.contender().ways().contains(Way.ASYNC)) {
			all.add(new NamedWay("async", (jobs) -> async(contender, jobs)));
		}
		String only = System.getProperty(Scenario.ONLY);
		return all.stream().filter((way) -> only == null || List.of(only.split(",")).contains(way.name())).toList();
	}

	/** Passes it once to count, when it is warm. */
	static Map<String, Double> figures(Task task, Contender contender, Counter counter, Enqueueing enqueueing)
			throws Exception {
		double pace = warmUp(task, contender, counter, enqueueing);
		long jobs = Math.max(task.contender().leastJobs(), (long) (pace * task.seconds()));
		CpuTimes before = CpuTimes.now(task);
		Map<String, Double> figures = once(contender, counter, enqueueing, jobs);
		CpuTimes.now(task).since(before, jobs, figures);
		figures.put("jobs", (double) jobs);
		return figures;
	}

	/**
	 * Passes it with more and more jobs until it takes a while and the compilers have
	 * little to do.
	 * @return jobs a second, when it was over
	 */
	static double warmUp(Task task, Contender contender, Counter counter, Enqueueing enqueueing) throws Exception {
		long least = task.contender().leastJobs();
		long jobs = least;
		double took = once(contender, counter, enqueueing, jobs).get("seconds");
		double warm = 0;
		double warmUp = task.seconds() * ((counter.count() == least) ? WARM_UP : FURTHER_WARM_UP);
		boolean compiled = false;
		while (warm < warmUp || (warm < task.seconds() * LONGEST_WARM_UP && !compiled)) {
			double pace = jobs / took;
			jobs = Math.max(least, (long) (pace * Math.min(task.seconds() / 2, took * 8)));
			Compilers compilers = new Compilers();
			took = once(contender, counter, enqueueing, jobs).get("seconds");
			compiled = compilers.areQuiet();
			warm += took;
		}
		return jobs / took;
	}

	static Map<String, Double> once(Contender contender, Counter counter, Enqueueing enqueueing, long jobs)
			throws Exception {
		long target = counter.count() + jobs;
		long begin = System.nanoTime();
		enqueueing.enqueue(jobs);
		double enqueued = (System.nanoTime() - begin) / 1e9;
		counter.await(target);
		contender.settle();
		double seconds = (System.nanoTime() - begin) / 1e9;
		Map<String, Double> figures = new LinkedHashMap<>();
		figures.put("seconds", seconds);
		figures.put("enqueue.rate", jobs / enqueued);
		figures.put("rate", jobs / ((counter.last() - begin) / 1e9));
		return figures;
	}

	/** The way in which most jobs a second are enqueued. */
	static Enqueueing many(Task task, Contender contender) {
		return task.contender().ways().contains(Way.BULK) ? (jobs) -> bulk(contender, jobs)
				: (jobs) -> threads(contender, jobs);
	}

	static void bulk(Contender contender, long jobs) throws Exception {
		List<Payload> batch = new ArrayList<>(BATCH);
		for (long i = 1; i <= jobs; i++) {
			batch.add(Payload.now());
			if (batch.size() == BATCH || i == jobs) {
				contender.enqueueAll(batch);
				batch.clear();
			}
		}
	}

	static void single(Contender contender, long jobs) throws Exception {
		for (long i = 0; i < jobs; i++) {
			contender.enqueue(Payload.now());
		}
	}

	private static void async(Contender contender, long jobs) throws Exception {
		Deque<CompletableFuture<?>> open = new ArrayDeque<>(WINDOW);
		for (long i = 0; i < jobs; i++) {
			if (open.size() == WINDOW) {
				open.remove().get();
			}
			open.add(contender.enqueueAsync(Payload.now()));
		}
		for (CompletableFuture<?> each : open) {
			each.get();
		}
	}

	static void threads(Contender contender, long jobs) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				long share = jobs / THREADS + ((i < jobs % THREADS) ? 1 : 0);
				all.add(threads.submit(() -> {
					single(contender, share);
					return null;
				}));
			}
			for (Future<?> each : all) {
				each.get(GRACE.toSeconds(), TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * A way of enqueueing.
	 *
	 * @param name of its measurements
	 * @param enqueueing does it
	 */
	record NamedWay(String name, Enqueueing enqueueing) {

	}

	/** A way of enqueueing so many. */
	interface Enqueueing {

		void enqueue(long jobs) throws Exception;

	}

}
