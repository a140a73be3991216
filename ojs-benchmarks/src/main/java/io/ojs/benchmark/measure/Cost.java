package io.ojs.benchmark.measure;

import java.util.Map;

import io.ojs.benchmark.contender.Contender;

/**
 * What it costs to enqueue and to work as many jobs as a backlog is said to have: what is
 * done now and then, such as polling and tidying up, has its share in that.
 */
final class Cost implements Scenario.Steps {

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Counter counter = new Counter();
		contender.work(counter);
		Throughput.Enqueueing enqueueing = Throughput.many(task, contender);
		Throughput.warmUp(task, contender, counter, enqueueing);
		CpuTimes before = CpuTimes.now(task);
		Map<String, Double> figures = Throughput.once(contender, counter, enqueueing, task.backlog());
		CpuTimes.now(task).since(before, task.backlog(), figures);
		results.add(task.measurement("cost", figures));
	}

}
