package io.ojs.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.measure.Stage;
import io.ojs.benchmark.micro.MicroBenchmarks;
import io.ojs.benchmark.page.FlameGraphs;
import io.ojs.benchmark.page.Page;
import io.ojs.benchmark.page.Profile;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures, and writes the page. */
@Command(name = "benchmarks", mixinStandardHelpOptions = true, sortOptions = false,
		description = { "Measures this project and what else there is, side by side, and writes the page of figures.",
				"With --scenario or --contender it measures that alone, and writes no page." })
public final class Benchmarks implements Callable<Integer> {

	private static final Logger logger = LoggerFactory.getLogger(Benchmarks.class);

	@Option(names = "--quick", description = "The comparisons alone, once and briefly")
	private boolean quick;

	@Option(names = "--plan",
			description = "Measure nothing; print what would run, and about how many minutes it takes")
	private boolean planOnly;

	@Option(names = "--page-only", description = "Measure nothing; write the page of the results that there are")
	private boolean pageOnly;

	@Option(names = "--profile", negatable = true,
			description = { "Flame graphs of what does not reach its target, after everything has been measured.",
					"With --scenario or --contender, of that, and nothing else" })
	private @Nullable Boolean profile;

	@Option(names = "--results", defaultValue = "target/benchmarks/results.jsonl",
			description = "Where measurements are. Default: ${DEFAULT-VALUE}")
	private Path results = Path.of("");

	@Option(names = "--docs", defaultValue = "src/docs", description = "Where pages are. Default: ${DEFAULT-VALUE}")
	private Path docs = Path.of("");

	@Option(names = "--scenario", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}")
	private List<Scenario> scenarios = List.of();

	@Option(names = "--contender", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}")
	private List<Contenders> contenders = List.of();

	@Option(names = "--rounds", defaultValue = "3", description = "How often each runs. Default: ${DEFAULT-VALUE}")
	private int rounds = 3;

	@ArgGroup(exclusive = true)
	private Existing existing = new Existing();

	@Option(names = "--seconds", defaultValue = "3",
			description = "How long each part of a run takes, roughly. Default: ${DEFAULT-VALUE}")
	private double seconds = 3;

	@Option(names = "--backlog", split = ",",
			description = "What there is at the beginning, such as jobs that wait. Default: as the scenario has it")
	private List<Integer> backlogs = List.of();

	@Option(names = "--queue", defaultValue = Plan.QUEUE, description = "quorum or classic. Default: ${DEFAULT-VALUE}")
	private String queue = Plan.QUEUE;

	@Option(names = "--virtual-threads", description = "Run jobs on virtual threads")
	private boolean virtualThreads;

	@Option(names = "--java", description = "Major version of Java, of --java-home")
	private String java = String.valueOf(Runtime.version().feature());

	@Option(names = "--java-home", description = "Further Java installations: 25=/usr/lib/jvm/…")
	private Map<String, Path> javaHomes = Map.of();

	@Option(names = "--jvm", description = "Further options of the measured processes")
	private List<String> jvmOptions = List.of();

	private final Map<String, Path> javas = new TreeMap<>();

	/** What becomes of results that there are. */
	static class Existing {

		@Option(names = "--more",
				description = "Add rounds to the results that there are, and write their page with --page-only afterwards")
		private boolean more;

		@Option(names = "--resume",
				description = "Go on with a run that was interrupted: measure what its results lack")
		private boolean resume;

	}

	/**
	 * Runs the command.
	 * @param args its options
	 */
	public static void main(String[] args) {
		System.setProperty("java.awt.headless", "true");
		System.exit(new CommandLine(new Benchmarks()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
	}

	@Override
	public Integer call() throws IOException, RunnerException {
		this.results = this.results.toAbsolutePath();
		Files.createDirectories(this.results.getParent());
		this.javas.putAll(this.javaHomes);
		this.javas.putIfAbsent(String.valueOf(Runtime.version().feature()), Path.of(System.getProperty("java.home")));
		boolean some = !this.scenarios.isEmpty() || !this.contenders.isEmpty();
		if (this.planOnly) {
			System.out.println(planned(some));
			return 0;
		}
		if (some) {
			if (Boolean.TRUE.equals(this.profile)) {
				profile(chosen().stream().map((run) -> new Profile(run.contender(), run.scenario(), "")).toList());
				return 0;
			}
			return measure(chosen(), journal(true)) ? 0 : 1;
		}
		boolean complete = this.pageOnly || measureAll();
		if ((this.profile != null) ? this.profile : !this.quick && !this.pageOnly) {
			profileMissed();
		}
		System.out.println(Page.write(this.results, this.docs));
		logger.info("Written: {}", this.docs.resolve("performance.md"));
		return complete ? 0 : 1;
	}

	private String planned(boolean some) throws IOException {
		List<Run> runs = some ? chosen() : plan();
		double micro = some ? 0 : Estimate.microBenchmarks(this.quick);
		if (this.existing.resume) {
			Journal journal = journal(some);
			runs = Plan.left(runs, journal::isDone);
			micro = journal.isDone(micro()) ? 0 : micro;
		}
		return Estimate.table(runs, micro);
	}

	/** A full run begins with an empty file; some runs are added to what there is. */
	private Journal journal(boolean some) throws IOException {
		Journal journal;
		if (this.existing.resume) {
			journal = Journal.resume(this.results);
		}
		else {
			journal = some ? Journal.add(this.results) : Journal.begin(this.results);
		}
		journal.versions(Versions.of(this.javas));
		return journal;
	}

	private boolean measureAll() throws IOException, RunnerException {
		Journal journal = journal(false);
		if (!this.existing.resume && Files.exists(this.results)) {
			// Figures of two states of the code make no ratio.
			Files.move(this.results, this.results.resolveSibling("results.previous.jsonl"),
					StandardCopyOption.REPLACE_EXISTING);
		}
		measure(plan(), journal);
		if (!journal.isDone(micro())) {
			List<String> micro = new ArrayList<>(List.of(this.results.toString()));
			if (this.quick) {
				micro.add("--quick");
			}
			MicroBenchmarks.main(micro.toArray(String[]::new));
			journal.done(micro());
		}
		return journal.failures().isEmpty();
	}

	/** By which a journal knows the micro-benchmarks. */
	private String micro() {
		return this.quick ? "quick micro-benchmarks" : "micro-benchmarks";
	}

	private List<Run> plan() {
		return this.quick ? Plan.quick(Math.min(1, this.seconds), this.javas.keySet())
				: Plan.full(this.rounds, this.seconds, this.javas.keySet());
	}

	private List<Run> chosen() throws IOException {
		List<Run> runs = new ArrayList<>();
		int before = before();
		for (int round = before + 1; round <= before + this.rounds; round++) {
			for (Scenario scenario : this.scenarios.isEmpty()
					? List.of(Scenario.THROUGHPUT, Scenario.LATENCY, Scenario.DRAIN) : this.scenarios) {
				for (Contenders contender : this.contenders.isEmpty() ? List.of(Contenders.values())
						: this.contenders) {
					boolean suits = scenario.suits(contender)
							&& (scenario == Scenario.THROUGHPUT || contender.survivesProcess());
					for (int backlog : suits ? scenario.backlogs(this.backlogs) : List.<Integer>of()) {
						runs.add(new Run(scenario, contender, round, this.queue, this.java, this.virtualThreads,
								this.seconds, backlog, List.of(), this.jvmOptions));
					}
				}
			}
		}
		return runs;
	}

	/** How many rounds there have been. */
	private int before() throws IOException {
		return this.existing.more ? Page.rounds(this.results) : 0;
	}

	/**
	 * One that fails does not cost the others; the page names it.
	 * @return whether all have succeeded
	 */
	private boolean measure(List<Run> runs, Journal journal) throws IOException {
		Instant begun = Instant.now();
		List<Run> left = this.existing.resume ? Plan.left(runs, journal::isDone) : runs;
		int failed = 0;
		if (left.isEmpty()) {
			return true;
		}
		try (Stage stage = new Stage(this.results, this.javas)) {
			journal.versions(stage.versions());
			// The journal of earlier results must not stand beside the first new one.
			journal.write();
			Progress progress = new Progress(left);
			for (Run run : left) {
				progress.next(run);
				try {
					stage.measure(run);
					journal.done(run);
				}
				catch (IllegalStateException ex) {
					logger.error("{} failed", Plan.text(run), ex);
					journal.failed(run);
					failed++;
				}
			}
		}
		logger.info("{} runs took {} min, {} of them failed", left.size(),
				Duration.between(begun, Instant.now()).toMinutes(), failed);
		return failed == 0;
	}

	/** Of targets that are not reached. Graphs made before an interruption remain. */
	private void profileMissed() throws IOException {
		FlameGraphs.delete(this.docs,
				this.existing.resume ? Files.getLastModifiedTime(this.results).toInstant() : Instant.MAX);
		profile(Page.profiles(this.results).stream().filter((each) -> !FlameGraphs.exists(this.docs, each)).toList());
	}

	private void profile(Collection<Profile> profiles) throws IOException {
		Path unused = this.results.resolveSibling("profiled.jsonl");
		try (Stage stage = new Stage(unused, this.javas)) {
			for (Profile each : new LinkedHashSet<>(profiles)) {
				logger.info("Profile of {}", each.key());
				Path recordings = Files.createTempDirectory(this.results.getParent(), each.key());
				try {
					stage.measure(Plan.profile(each, 2 * this.seconds,
							// A folder, in which each process has a file of its own.
							List.of("-XX:StartFlightRecording=settings=profile,dumponexit=true,filename="
									+ recordings)));
					FlameGraphs.write(recordings, this.docs, each);
				}
				catch (IllegalStateException ex) {
					// The page is not to fail for it.
					logger.error("Profile of {} failed", each.key(), ex);
				}
			}
		}
	}

}
