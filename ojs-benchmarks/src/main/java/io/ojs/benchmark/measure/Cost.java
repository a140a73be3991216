package io.ojs.benchmark.measure;

import java.sql.SQLException;
import java.util.Map;

import io.ojs.benchmark.contender.Contender;

/**
 * What it costs to enqueue and to work as many jobs as a backlog is said to have, in each
 * way: what is done now and then, such as polling and tidying up, has its share in that.
 */
final class Cost implements Scenario.Steps {

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Counter counter = new Counter();
		contender.work(counter);
		for (Throughput.NamedWay way : Throughput.ways(task, contender)) {
			Throughput.warmUp(task, contender, counter, way.enqueueing());
			DatabaseWork work = work(task);
			CpuTimes before = CpuTimes.now(task);
			Map<String, Double> figures = Throughput.once(contender, counter, way.enqueueing(), task.backlog());
			CpuTimes.now(task).since(before, task.backlog(), figures);
			work(task).since(work, task.backlog(), figures);
			results.add(task.measurement("cost", Map.of("way", way.name()), figures));
		}
	}

	private static DatabaseWork work(Task task) throws SQLException, InterruptedException {
		return (task.databasePid() != 0) ? DatabaseWork.now(task.site()) : DatabaseWork.NONE;
	}

}
