package io.ojs.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.measure.Stage;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures, and writes the page. */
@Command(name = "benchmarks", mixinStandardHelpOptions = true, sortOptions = false,
		description = "Measures this project and what else there is, side by side.")
public final class Benchmarks implements Callable<Integer> {

	@Option(names = "--results", defaultValue = "target/benchmarks/results.jsonl",
			description = "Where measurements are added to. Default: ${DEFAULT-VALUE}")
	private Path results = Path.of("");

	@Option(names = "--scenario", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}")
	private List<Scenario> scenarios = List.of(Scenario.THROUGHPUT, Scenario.LATENCY, Scenario.DRAIN);

	@Option(names = "--contender", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}")
	private List<Contenders> contenders = List.of(Contenders.values());

	@Option(names = "--rounds", defaultValue = "3", description = "How often each runs. Default: ${DEFAULT-VALUE}")
	private int rounds = 3;

	@Option(names = "--seconds", defaultValue = "5",
			description = "How long each part of a run takes, roughly. Default: ${DEFAULT-VALUE}")
	private double seconds = 5;

	@Option(names = "--backlog", split = ",",
			description = "What there is at the beginning, such as jobs that wait. Default: as the scenario has it")
	private List<Integer> backlogs = List.of();

	@Option(names = "--queue", defaultValue = "classic", description = "classic or quorum")
	private String queue = "classic";

	@Option(names = "--virtual-threads", description = "Run jobs on virtual threads")
	private boolean virtualThreads;

	@Option(names = "--java", description = "Major version of Java, of --java-home")
	private String java = String.valueOf(Runtime.version().feature());

	@Option(names = "--java-home", description = "Further Java installations: 25=/usr/lib/jvm/…")
	private Map<String, Path> javaHomes = Map.of();

	@Option(names = "--jvm", description = "Further options of the measured processes")
	private List<String> jvmOptions = List.of();

	/**
	 * Runs the command.
	 * @param args its options
	 */
	public static void main(String[] args) {
		System.exit(new CommandLine(new Benchmarks()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
	}

	@Override
	public Integer call() throws IOException {
		Files.createDirectories(this.results.toAbsolutePath().getParent());
		Map<String, Path> javas = new TreeMap<>(this.javaHomes);
		javas.putIfAbsent(String.valueOf(Runtime.version().feature()), Path.of(System.getProperty("java.home")));
		try (Stage stage = new Stage(this.results.toAbsolutePath(), javas)) {
			for (int round = 1; round <= this.rounds; round++) {
				for (Scenario scenario : this.scenarios) {
					for (Contenders contender : this.contenders) {
						if (scenario != Scenario.THROUGHPUT && !contender.survivesProcess()) {
							continue;
						}
						for (int backlog : scenario.backlogs(this.backlogs)) {
							stage.measure(new Run(scenario, contender, round, this.queue, this.java,
									this.virtualThreads, this.seconds, backlog, this.jvmOptions));
						}
					}
				}
			}
		}
		return 0;
	}

}
