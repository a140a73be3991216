package io.ojs.benchmark.page;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.ojs.benchmark.measure.Measurement;

/** Tables of scenarios that have no form of their own: a column for each figure. */
final class OtherTables {

	private static final Map<String, String> TITLES = Map.of("cost", "CPU time of many jobs", "finished",
			"Finished rows in the table", "heap", "Heap of scheduled jobs", "startup", "Start-up", "idle",
			"Idle entries", "micro", "Micro-benchmarks");

	private OtherTables() {
	}

	static String title(String scenario) {
		return TITLES.getOrDefault(scenario, "Scenario " + scenario);
	}

	static Table table(Measurements measurements, String scenario) {
		List<Measurement> all = measurements.of(scenario);
		Map<String, String> base = measurements.base().settings();
		Set<String> figures = new TreeSet<>();
		Set<Row> rows = new LinkedHashSet<>();
		for (Measurement each : all) {
			figures.addAll(each.figures().keySet());
			rows.add(new Row(each.contender(), each.settings()));
		}
		List<String> titles = new ArrayList<>(List.of("contender", "settings"));
		titles.addAll(figures);
		Table table = new Table(titles);
		for (Row row : rows) {
			List<String> cells = new ArrayList<>(List.of(Titles.of(row.contender()), row.further(base)));
			for (String figure : figures) {
				Series series = measurements.series(scenario, row.contender(), figure, row.settings());
				cells.add(series.isEmpty() ? "–" : Figures.spread(series));
			}
			table.row(cells);
		}
		return table;
	}

	private record Row(String contender, Map<String, String> settings) {

		/** What is not as it is everywhere else. */
		String further(Map<String, String> base) {
			Map<String, String> further = new TreeMap<>(this.settings);
			further.entrySet().removeAll(base.entrySet());
			List<String> words = new ArrayList<>();
			further.forEach((name, value) -> words.add(name + " " + value));
			return String.join(", ", words);
		}

	}

}
