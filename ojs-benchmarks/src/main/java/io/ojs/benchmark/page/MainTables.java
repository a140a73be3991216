package io.ojs.benchmark.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ojs.benchmark.contender.Way;

/** The tables that have a row for each contender. */
final class MainTables {

	private final Measurements measurements;

	MainTables(Measurements measurements) {
		this.measurements = measurements;
	}

	/** In which scenario its cost is told. */
	static String ofCost(String contender) {
		return Titles.can(contender, Way.BULK) ? "bulk" : "single";
	}

	private List<String> contenders(boolean brokerOnly) {
		// What only later scenarios or micro benchmarks name is no contender in these.
		return this.measurements.contenders()
			.stream()
			.filter((each) -> !each.equals(Titles.of(each)) && Titles.brokerOnly(each) == brokerOnly)
			.toList();
	}

	private String grouped(RowsOf rows, String... titles) {
		return group(true, rows, titles) + group(false, rows, titles);
	}

	private String group(boolean brokerOnly, RowsOf rows, String... titles) {
		List<String> all = new ArrayList<>(List.of(titles));
		all.add(0, brokerOnly ? "broker only" : "with a database");
		Table table = new Table(all);
		for (String contender : contenders(brokerOnly)) {
			List<String> cells = new ArrayList<>(List.of(Titles.of(contender)));
			cells.addAll(rows.cells(contender));
			table.row(cells);
		}
		return table.isEmpty() ? "" : table + "\n";
	}

	String throughput() {
		return grouped((contender) -> {
			Map<String, String> base = this.measurements.base().settings();
			return List.of(rate("bulk", Way.BULK, contender, base), rate("single", Way.SINGLE, contender, base),
					rate("threads", Way.SINGLE, contender, base), rate("async", Way.ASYNC, contender, base));
		}, "in bulk", "one by one", "16 threads", "without waiting");
	}

	private String rate(String scenario, Way way, String contender, Map<String, String> settings) {
		Series worked = this.measurements.series(scenario, contender, "rate", settings);
		if (worked.isEmpty()) {
			return Titles.can(contender, way) ? Figures.NOT_MEASURED : "–";
		}
		Series enqueued = this.measurements.series(scenario, contender, "enqueue.rate", settings);
		return Figures.median(enqueued) + " → " + Figures.spread(worked);
	}

	String latency() {
		return grouped((contender) -> Stream.of("p50", "p99", "p99.9")
			.map((each) -> Figures.spread(this.measurements.series("latency", contender, each)))
			.toList(), "p50, ms", "p99, ms", "p99.9, ms");
	}

	String cost() {
		return grouped((contender) -> {
			List<String> cells = new ArrayList<>(cost("bulk", Way.BULK, contender));
			cells.addAll(cost("single", Way.SINGLE, contender));
			return cells;
		}, "in bulk: JVM", "broker", "database", "all", "one by one: JVM", "broker", "database", "all");
	}

	private List<String> cost(String scenario, Way way, String contender) {
		if (!Titles.can(contender, way)) {
			return Collections.nCopies(4, "–");
		}
		return List.of(Figures.median(this.measurements.series(scenario, contender, "cpu.jvm")),
				Figures.median(this.measurements.series(scenario, contender, "cpu.broker")),
				Figures.median(this.measurements.series(scenario, contender, "cpu.database")),
				Figures.spread(this.measurements.series(scenario, contender, "cpu.all")));
	}

	String drain() {
		String tables = drain(true) + drain(false);
		return tables.isEmpty() ? Figures.NOT_MEASURED + "\n" : tables;
	}

	/** With a column for each backlog that one of the group has worked off. */
	private String drain(boolean brokerOnly) {
		List<Integer> backlogs = this.measurements.backlogs()
			.stream()
			.filter((backlog) -> contenders(brokerOnly).stream()
				.anyMatch((contender) -> !this.measurements.drain(contender, backlog, "rate").isEmpty()))
			.toList();
		if (backlogs.isEmpty()) {
			return "";
		}
		String[] titles = backlogs.stream().map((each) -> Figures.number(each) + " jobs").toArray(String[]::new);
		return group(brokerOnly,
				(contender) -> backlogs.stream()
					.map((each) -> Figures.spread(this.measurements.drain(contender, each, "rate")))
					.toList(),
				titles);
	}

	String modes() {
		Table table = new Table("", "mode", "in bulk", "16 threads", "p50, ms", "p99, ms", "CPU s, all");
		for (String contender : List.of("OJS", "OJS_STORE")) {
			for (Mode mode : this.measurements.modes()) {
				Map<String, String> settings = mode.settings();
				table.row(Titles.of(contender), mode.toString(), rate("bulk", Way.BULK, contender, settings),
						rate("threads", Way.SINGLE, contender, settings),
						Figures.median(this.measurements.series("latency", contender, "p50", settings)),
						Figures.median(this.measurements.series("latency", contender, "p99", settings)),
						Figures.median(this.measurements.series("bulk", contender, "cpu.all", settings)));
			}
		}
		return table.toString();
	}

	/** The cells of a contender. */
	@FunctionalInterface
	private interface RowsOf {

		List<String> cells(String contender);

	}

}
