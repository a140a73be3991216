package io.ojs.benchmark.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contender;

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
		Gate gate = new Gate(counter, AHEAD);
		contender.work(gate);
		Throughput.Enqueueing enqueueing = Throughput.many(task, contender);
		Throughput.warmUp(task, contender, counter, enqueueing);
		drain(task, contender, counter, gate, enqueueing, WARM_UP);
		results.add(task.measurement("drain", drain(task, contender, counter, gate, enqueueing, task.backlog())));
	}

	private static Map<String, Double> drain(Task task, Contender contender, Counter counter, Gate gate,
			Throughput.Enqueueing enqueueing, int backlog) throws Exception {
		gate.shut();
		enqueueing.enqueue(AHEAD + backlog);
		Quiet.await(task);
		long mark = gate.open();
		counter.await(mark);
		CpuTimes before = CpuTimes.now(task);
		counter.await(mark + backlog);
		long end = counter.last();
		contender.settle();
		Map<String, Double> figures = new LinkedHashMap<>();
		CpuTimes.now(task).since(before, backlog, figures);
		figures.put("seconds", (end - gate.markedAt()) / (double) TimeUnit.SECONDS.toNanos(1));
		figures.put("rate", backlog / figures.get("seconds"));
		return figures;
	}

}
