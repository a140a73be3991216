package io.ojs.benchmark.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs all of them by JMH, each in a process of its own: nanoseconds and bytes per job.
 */
public final class MicroBenchmarks {

	/** The scenario of the measurements. */
	public static final String SCENARIO = "micro";

	private static final String QUICK = "--quick";

	private static final String ALLOCATED = "gc.alloc.rate.norm";

	private MicroBenchmarks() {
	}

	/**
	 * Runs them, and adds what they show to a file.
	 * @param args the file, and {@code --quick} for a run that is short and less exact
	 * @throws IOException if the file cannot be written
	 * @throws RunnerException if one of them fails
	 */
	public static void main(String[] args) throws IOException, RunnerException {
		List<String> arguments = new ArrayList<>(List.of(args));
		boolean quick = arguments.remove(QUICK);
		if (arguments.size() != 1) {
			throw new IllegalArgumentException("Expected <results file> [--quick], but was: " + List.of(args));
		}
		append(Path.of(arguments.get(0)), run(quick));
	}

	/**
	 * Runs them.
	 * @param quick whether it is to be short and may be less exact
	 * @return a measurement for each: {@code ns} and {@code bytes} per job, with the
	 * setting {@code benchmark}
	 * @throws RunnerException if one of them fails
	 */
	public static List<Measurement> run(boolean quick) throws RunnerException {
		TimeValue iteration = quick ? TimeValue.milliseconds(200) : TimeValue.seconds(1);
		ChainedOptionsBuilder options = new OptionsBuilder()
			.include(MicroBenchmarks.class.getPackageName() + "\\.\\w+Benchmark\\.")
			.mode(Mode.AverageTime)
			.timeUnit(TimeUnit.NANOSECONDS)
			.forks(quick ? 1 : 2)
			.warmupIterations(quick ? 5 : 3)
			.warmupTime(iteration)
			.measurementIterations(quick ? 3 : 5)
			.measurementTime(iteration)
			.shouldFailOnError(true)
			.jvmArgsAppend("-Xms512m", "-Xmx512m")
			.addProfiler(GCProfiler.class);
		return new Runner(options.build()).run().stream().map(MicroBenchmarks::measurement).toList();
	}

	private static Measurement measurement(RunResult result) {
		String method = result.getParams().getBenchmark();
		if (!result.getSecondaryResults().containsKey(ALLOCATED)) {
			throw new IllegalStateException("JMH does not tell %s of %s".formatted(ALLOCATED, method));
		}
		double bytes = result.getSecondaryResults().get(ALLOCATED).getScore();
		return new Measurement(SCENARIO, Contenders.OJS.name(), 1,
				Map.of("benchmark", method.substring(method.lastIndexOf('.') + 1), "java",
						String.valueOf(Runtime.version().feature())),
				Map.of("ns", result.getPrimaryResult().getScore(), "bytes", bytes));
	}

	private static void append(Path file, Collection<Measurement> measurements) throws IOException {
		Path folder = file.toAbsolutePath().getParent();
		if (folder != null) {
			Files.createDirectories(folder);
		}
		JsonMapper json = new JsonMapper();
		Files.write(file, measurements.stream().map(json::writeValueAsString).toList(), StandardOpenOption.CREATE,
				StandardOpenOption.APPEND);
	}

}
