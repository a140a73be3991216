package io.ojs.benchmark.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contenders;

/**
 * The CPU that an application, its broker and its database use while nothing is due, with
 * nothing and with many things that wait for their time.
 */
final class Idle implements Scenario.Procedure {

	/** As against the other scenarios: little is used, and the kernel counts coarsely. */
	private static final double TIMES = 20;

	/**
	 * Compilers and collectors have their turn first, and the broker puts away what it
	 * has just taken.
	 */
	private static final double REST = 10;

	private static final double SECONDS_PER_MINUTE = 60;

	private static final Duration DELAY = Duration.ofHours(1);

	@Override
	public void run(Task task, Results results) throws Exception {
		boolean store = task.contender() == Contenders.OJS_STORE;
		try (SmallApplication application = SmallApplication.start(task)) {
			look(task, "none", results);
			application.schedule(task.backlog(), DELAY);
			look(task, store ? "scheduled" : "delayed", results);
		}
		if (store) {
			empty(task);
			try (SmallApplication application = SmallApplication.start(task)) {
				application.registerCrons(task.backlog());
				look(task, "cron", results);
			}
		}
	}

	private static void look(Task task, String entries, Results results) throws Exception {
		if (task.contender() == Contenders.OJS_STORE) {
			rest(task);
		}
		System.gc();
		TimeUnit.MILLISECONDS.sleep(Math.round(task.seconds() * REST * 1_000));
		CpuTimes before = CpuTimes.now(task);
		long begin = System.nanoTime();
		TimeUnit.MILLISECONDS.sleep(Math.round(task.seconds() * TIMES * 1_000));
		CpuTimes after = CpuTimes.now(task);
		double share = SECONDS_PER_MINUTE / ((System.nanoTime() - begin) / 1e9);
		Map<String, Double> figures = new LinkedHashMap<>();
		figures.put("cpu.jvm", (after.jvm() - before.jvm()) * share);
		figures.put("cpu.broker", (after.broker() - before.broker()) * share);
		figures.put("cpu.database", (after.database() - before.database()) * share);
		results.add(task.measurement("idle", Map.of("entries", entries), figures));
	}

	private static void empty(Task task) throws SQLException {
		execute(task, "delete from ojs_job");
	}

	/** What a database does by itself sooner or later, so that it does not do it now. */
	private static void rest(Task task) throws SQLException {
		execute(task, "vacuum (analyze)");
		execute(task, "checkpoint");
	}

	private static void execute(Task task, String sql) throws SQLException {
		try (Connection connection = DriverManager.getConnection(task.site().databaseUrl(), task.site().username(),
				task.site().password()); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
