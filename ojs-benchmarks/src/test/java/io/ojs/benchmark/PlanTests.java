package io.ojs.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Way;
import io.ojs.benchmark.measure.Measurement;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.page.Facts;
import io.ojs.benchmark.page.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class PlanTests {

	private static final Map<String, Double> FIGURES = Map.of("rate", 1.0, "enqueue.rate", 1.0, "rate.single", 1.0,
			"p50", 1.0, "p99", 1.0, "cpu.all", 1.0, "db.updated.hot", 1.0, "ms", 1.0, "collected.mb", 1.0);

	private static final Map<Way, List<String>> NAMES = Map.of(Way.BULK, List.of("bulk"), Way.SINGLE,
			List.of("single", "threads"), Way.ASYNC, List.of("async"));

	private static final Map<String, Double> CPU = Map.of("cpu.jvm", 1.0, "cpu.broker", 1.0, "cpu.database", 1.0);

	private final String java = String.valueOf(Runtime.version().feature());

	private final List<Run> plan = Plan.full(2, 1, new TreeSet<>(List.of(this.java, Plan.OTHER_JAVA)));

	@TempDir
	Path folder;

	@Test
	void whoeverIsComparedRunsOneBehindTheOther() {
		List<String> kinds = this.plan.stream()
			.filter(this::isUsual)
			.map((run) -> run.round() + " " + run.scenario() + " " + run.backlog())
			.toList();
		List<String> changes = new ArrayList<>();
		for (String kind : kinds) {
			if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(kind)) {
				changes.add(kind);
			}
		}
		assertThat(changes).doesNotHaveDuplicates();
	}

	/** Otherwise it would be told at the end of an hour. */
	@Test
	void eachTargetIsMeasured() throws Exception {
		assertThat(notMeasured(1, 2)).isEmpty();
	}

	/** One round says little of what is compared with others. */
	@Test
	void comparisonsAreMeasuredInEachRound() throws Exception {
		assertThat(notMeasured(2)).isNotEmpty().allMatch((line) -> line.matches(".*smallest application.*"));
	}

	private List<String> notMeasured(Integer... rounds) throws Exception {
		JsonMapper json = new JsonMapper();
		List<String> lines = new ArrayList<>();
		for (Run run : this.plan.stream().filter((each) -> List.of(rounds).contains(each.round())).toList()) {
			measurements(run).forEach((each) -> lines.add(json.writeValueAsString(each)));
		}
		Path results = Files.write(this.folder.resolve("results.jsonl"), lines);
		new Facts("", "", Map.of(), Map.of(), List.of(), null, null).write(Facts.beside(results));

		return Page.write(results, this.folder).lines().filter((line) -> line.contains("not measured")).toList();
	}

	/** Later rounds are shorter, and all of it is in the tables. */
	@Test
	void theFirstRoundMeasuresEachWayThatAContenderHas() {
		assertThat(this.plan)
			.filteredOn((run) -> run.scenario() == Scenario.THROUGHPUT && run.round() == 1 && isUsual(run))
			.allSatisfy((run) -> assertThat(run.only()).isEmpty())
			.extracting(Run::contender)
			.containsExactlyInAnyOrder(Contenders.values());
		assertThat(this.plan).filteredOn((run) -> run.scenario() == Scenario.THROUGHPUT && run.round() == 2)
			.hasSizeLessThan(Contenders.values().length)
			.allSatisfy((run) -> assertThat(run.only()).isNotEmpty());
	}

	@Test
	void whatIsOursIsMeasuredInEachModeInTheFirstRound() {
		Set<String> modes = new TreeSet<>(List.of("classic " + this.java + " false", "quorum " + this.java + " false",
				"quorum " + Plan.OTHER_JAVA + " false", "quorum " + Plan.OTHER_JAVA + " true"));
		if (Runtime.version().feature() >= 21) {
			modes.add("quorum " + this.java + " true");
		}
		for (Contenders ours : List.of(Contenders.OJS, Contenders.OJS_STORE)) {
			assertThat(this.plan.stream()
				.filter((run) -> run.round() == 1 && run.contender() == ours && run.scenario() == Scenario.THROUGHPUT)
				.map((run) -> run.queueType() + " " + run.java() + " " + run.virtualThreads()))
				.containsExactlyInAnyOrderElementsOf(modes);
			assertThat(this.plan.stream()
				.filter((run) -> run.contender() == ours && run.scenario() == Scenario.LATENCY)
				.map((run) -> run.queueType() + " " + run.java()))
				.containsExactlyInAnyOrder("quorum " + this.java, "classic " + this.java);
		}
	}

	@Test
	void whomNoTargetIsAboutIsMeasuredInTheFirstRoundAlone() {
		for (Contenders reference : List.of(Contenders.QUARTZ, Contenders.JDBC)) {
			assertThat(this.plan.stream().filter((run) -> run.contender() == reference).map(Run::round)).isNotEmpty()
				.containsOnly(1);
		}
	}

	@Test
	void whatIsDoneIsNotLeft() {
		List<Run> reference = this.plan.stream()
			.filter((run) -> run.contender() == Contenders.QUARTZ || !isUsual(run))
			.toList();

		assertThat(Plan.left(this.plan, this.plan::contains)).isEmpty();
		assertThat(Plan.left(this.plan, (run) -> false)).isEqualTo(this.plan);
		assertThat(Plan.left(this.plan, (run) -> !reference.contains(run))).isEqualTo(reference);
	}

	/** Hours may lie between its sides otherwise. */
	@Test
	void anInterruptedComparisonIsLeftAsAWhole() {
		List<Run> left = Plan.left(this.plan, (run) -> !(run.scenario() == Scenario.DRAIN && run.round() == 2
				&& run.contender() == Contenders.DB_SCHEDULER));

		assertThat(left).extracting(Run::contender)
			.containsExactly(Contenders.OJS_STORE_DELIVERY, Contenders.DB_SCHEDULER);
		assertThat(left).allMatch((run) -> run.scenario() == Scenario.DRAIN && run.round() == 2);
	}

	@Test
	void keysTellRunsApart() {
		assertThat(this.plan).extracting(Plan::key).doesNotHaveDuplicates();
		assertThat(Plan.key(this.plan.get(0))).isNotEqualTo(Plan.key(Plan.full(1, 2, Set.of(this.java)).get(0)));
	}

	@Test
	void nothingIsMeasuredTwice() {
		assertThat(this.plan).doesNotHaveDuplicates();
	}

	private boolean isUsual(Run run) {
		return run.java().equals(this.java) && run.queueType().equals("quorum") && !run.virtualThreads();
	}

	private static List<Measurement> measurements(Run run) {
		return switch (run.scenario()) {
			case THROUGHPUT -> {
				Set<String> names = new TreeSet<>(run.only());
				if (names.isEmpty()) {
					run.contender().ways().forEach((way) -> names.addAll(NAMES.get(way)));
				}
				yield names.stream().map((name) -> measurement(run, name, run.contender(), Map.of())).toList();
			}
			case COST -> List.of(measurement(run, "cost", run.contender(), Map.of("way", "bulk")));
			case FINISHED -> List.of(measurement(run, "finished", run.contender(), Map.of("finished", "0")),
					measurement(run, "finished", run.contender(), Map.of("finished", String.valueOf(run.backlog()))));
			case STARTUP -> List.of(measurement(run, "startup", Contenders.OJS, Map.of()),
					measurement(run, "startup", Contenders.SPRING, Map.of()));
			case IDLE -> List.of("none", "delayed", "scheduled", "cron")
				.stream()
				.map((entries) -> measurement(run, "idle", run.contender(), Map.of("entries", entries)))
				.toList();
			default ->
				List.of(measurement(run, run.scenario().name().toLowerCase(Locale.ROOT), run.contender(), Map.of()));
		};
	}

	private static Measurement measurement(Run run, String scenario, Contenders contender, Map<String, String> more) {
		Map<String, String> settings = new TreeMap<>(Map.of("queue", run.queueType(), "java", run.java(), "threads",
				run.virtualThreads() ? "virtual" : "platform"));
		if (run.backlog() > 0) {
			settings.put("backlog", String.valueOf(run.backlog()));
		}
		settings.putAll(more);
		Map<String, Double> figures = new TreeMap<>(FIGURES);
		figures.putAll(CPU);
		return new Measurement(scenario, contender.name(), run.round(), settings, figures);
	}

}
