package io.ojs.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.benchmark.measure.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The way from the command to the page, on a broker and a database. Figures mean nothing
 * here.
 */
class BenchmarksTests {

	@TempDir
	Path folder;

	@Test
	void whatIsMeasuredIsOnThePage() throws Exception {
		Path results = this.folder.resolve("results.jsonl");

		assertThat(measure(results, "--scenario", "throughput,latency", "--contender", "OJS,RAW")).isZero();
		assertThat(measure(results, "--scenario", "throughput", "--contender", "RAW", "--more")).isZero();
		String before = Files.readString(results);
		assertThat(measure(results, "--scenario", "throughput,latency", "--contender", "OJS,RAW", "--resume")).isZero();
		assertThat(results).hasContent(before);
		assertThat(run("--page-only", "--results", results.toString(), "--docs", this.folder.toString())).isZero();

		JsonMapper json = new JsonMapper();
		List<Measurement> measured = Files.readAllLines(results)
			.stream()
			.map((line) -> json.readValue(line, Measurement.class))
			.toList();
		for (String contender : List.of("OJS", "RAW")) {
			assertThat(measured).filteredOn((each) -> each.contender().equals(contender))
				.extracting(Measurement::scenario)
				.contains("bulk", "single", "threads", "async", "latency");
		}
		assertThat(measured).filteredOn((each) -> each.scenario().equals("bulk"))
			.extracting(Measurement::contender, Measurement::round)
			.containsExactlyInAnyOrder(tuple("OJS", 1), tuple("RAW", 1), tuple("RAW", 2));
		assertThat(measured).allSatisfy((each) -> assertThat(each.figures().get("jobs")).isPositive());
		String page = Files.readString(this.folder.resolve("performance.md"));
		for (String row : List.of("| OJS, broker only |", "| raw amqp-client |")) {
			assertThat(page.lines().filter((line) -> line.startsWith(row)).limit(2)).hasSize(2)
				.noneMatch((line) -> line.contains("not measured"));
		}
		assertThat(page).contains("| rounds | 2 of bulk, single, threads, async; 1 of latency |");
		JsonNode facts = json.readTree(Files.readString(this.folder.resolve("run.json")));
		assertThat(facts.get("versions").propertyNames()).contains("RabbitMQ", "PostgreSQL",
				"Java " + Runtime.version().feature());
		assertThat(facts.get("failures")).isEmpty();
		assertThat(page).contains("| RabbitMQ | " + facts.get("versions").get("RabbitMQ").asString() + " |");
		assertThat(this.folder.resolve("performance/latency.svg")).content().contains("raw amqp-client");
	}

	/** For a moment, with a JVM that is soon warm. */
	private static int measure(Path results, String... args) {
		return run(Stream
			.concat(Stream.of(args), Stream.of("--rounds", "1", "--seconds", "0.1", "--jvm=-XX:TieredStopAtLevel=1",
					"--results", results.toString()))
			.toArray(String[]::new));
	}

	private static int run(String... args) {
		return new CommandLine(new Benchmarks()).setCaseInsensitiveEnumValuesAllowed(true).execute(args);
	}

}
