package io.ojs.benchmark.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.StringJoiner;

/** The page of figures, with its plots. Nothing on it is written by hand. */
public final class Page {

	private static final Set<String> WITH_TABLES = Set.of("bulk", "single", "threads", "async", "latency", "drain");

	private final Measurements measurements;

	private final Facts facts;

	private final Path folder;

	private Page(Measurements measurements, Facts facts, Path folder) {
		this.measurements = measurements;
		this.facts = facts;
		this.folder = folder;
	}

	/**
	 * Writes {@code performance.md}, and plots into the folder {@code performance}.
	 * @param results the measurements, with their facts beside them
	 * @param docs the folder of pages
	 * @return how the targets stand, as a table
	 * @throws IOException if something cannot be read or written
	 */
	public static String write(Path results, Path docs) throws IOException {
		Measurements measurements = Measurements.read(results);
		Path folder = Files.createDirectories(docs.resolve("performance"));
		Plots.write(measurements, folder);
		Page page = new Page(measurements, Facts.read(Facts.beside(results)), folder);
		Files.writeString(docs.resolve("performance.md"), page.text());
		return page.targets().toString();
	}

	/**
	 * How many rounds there have been.
	 * @param results the measurements
	 * @return 0 if there are no measurements
	 * @throws IOException if they cannot be read
	 */
	public static int rounds(Path results) throws IOException {
		return Files.exists(results) ? Measurements.read(results).rounds() : 0;
	}

	/**
	 * What is worth a look into where the time goes.
	 * @param results the measurements
	 * @return profiles of the targets that do not hold
	 * @throws IOException if the measurements cannot be read
	 */
	public static Set<Profile> profiles(Path results) throws IOException {
		Measurements measurements = Measurements.read(results);
		Set<Profile> profiles = new LinkedHashSet<>();
		for (Target target : Targets.all()) {
			Profile profile = target.profile();
			if (profile != null && target.verdict(measurements) == Target.Verdict.DOES_NOT_HOLD) {
				profiles.add(profile);
			}
		}
		return profiles;
	}

	private String text() {
		StringBuilder text = new StringBuilder("""
				# Performance

				`src/scripts/benchmarks` writes this page: the next run overwrites what you change here by hand.
				[Benchmarks](benchmarks.md) tells how it is measured, and what the words mean.

				""");
		text.append(conditions());
		text.append(
				"\n## Targets\n\nA ratio is the median of the ratios of each round, both sides from the same round.\n\n");
		text.append(targets());
		MainTables main = new MainTables(this.measurements);
		text.append("\n## Throughput\n\nJobs a second: enqueued, → from the first call until the last one has begun. ")
			.append("In brackets the lowest and the highest round. –: it has no such call.\n\n")
			.append(main.throughput())
			.append("\n")
			.append(image("throughput", "Throughput of each contender"));
		text.append(
				"\n## Latency\n\nFrom the call that enqueues to the handler, in another process, at 200 jobs a second.\n\n")
			.append(main.latency())
			.append("\n")
			.append(image("latency", "Latency of each contender by percentile"));
		text.append("\n## Cost\n\nCPU seconds for 10,000 jobs, enqueued and worked, after a warm-up of each way. ")
			.append("The plot has jobs in bulk where there is such a call.\n\n")
			.append(main.cost())
			.append("\n")
			.append(image("cost", "CPU time of each contender"));
		text.append("\n## Backlogs\n\nJobs a second of what waited for workers that were held up.\n\n")
			.append(main.drain())
			.append("\n")
			.append(image("backlog", "Drain rate by backlog"))
			.append(image("backlog-cost", "CPU time by backlog"));
		text.append("\n## Modes\n\n").append(main.modes());
		text.append(others());
		text.append(settings());
		return text.toString();
	}

	private static String image(String name, String title) {
		return "![%s](performance/%s.svg)\n".formatted(title, name);
	}

	/** What was added later is not of everything. */
	private String rounds() {
		StringJoiner text = new StringJoiner("; ");
		this.measurements.roundsOfScenarios()
			.forEach((rounds, scenarios) -> text.add(rounds + " of " + String.join(", ", scenarios)));
		return text.toString();
	}

	private String conditions() {
		Table table = new Table("", "");
		table.row("measured", this.facts.begun() + " to " + this.facts.ended());
		table.row("rounds", rounds());
		this.facts.machine().forEach(table::row);
		this.facts.versions().forEach(table::row);
		StringBuilder text = new StringBuilder(table.toString());
		text.append("\nUnless it says otherwise: ").append(this.measurements.base()).append(".\n");
		if (this.measurements.replaced() > 0) {
			text.append("\nMeasured again later, and not counted: ").append(this.measurements.replaced()).append(".\n");
		}
		if (!this.facts.failures().isEmpty()) {
			text.append("\nDid not run to the end:\n\n");
			this.facts.failures().forEach((each) -> text.append("* ").append(each).append("\n"));
		}
		return text.toString();
	}

	/** As they were when it was measured. */
	private String settings() {
		Table table = new Table("contender", "setting", "value", "why");
		this.facts.settings().forEach((each) -> table.row(each.contender(), each.name(), each.value(), each.reason()));
		return "\n## Settings\n\nEach contender has what its documentation recommends for throughput.\n\n"
				+ (table.isEmpty() ? "Not recorded.\n" : table);
	}

	private Table targets() {
		Table table = new Table("what", "target", "measured", "reached", "why not");
		for (Target target : Targets.all()) {
			Target.Verdict verdict = target.verdict(this.measurements);
			Series reached = target.reached().apply(this.measurements);
			String figure = reached.isEmpty() ? Figures.NOT_MEASURED : Figures.spread(reached) + " " + target.unit();
			String link = "";
			Profile profile = target.profile();
			if (verdict == Target.Verdict.DOES_NOT_HOLD && profile != null
					&& Files.exists(FlameGraphs.file(this.folder, profile))) {
				link = ", [flame graph](performance/%s)"
					.formatted(FlameGraphs.file(this.folder, profile).getFileName());
			}
			table.row(target.text(), target.limitText(), figure, verdict + link, why(target, verdict));
		}
		return table;
	}

	private static String why(Target target, Target.Verdict verdict) {
		if (verdict != Target.Verdict.DOES_NOT_HOLD) {
			return "";
		}
		return (target.why() != null) ? target.why() : "not explained yet: it held before";
	}

	/** What has no table of its own is told all the same. */
	private String others() {
		StringBuilder text = new StringBuilder();
		for (String scenario : this.measurements.scenarios()) {
			if (!WITH_TABLES.contains(scenario)) {
				text.append("\n## ").append(OtherTables.title(scenario)).append("\n\n");
				text.append(OtherTables.table(this.measurements, scenario));
			}
		}
		return text.toString();
	}

}
