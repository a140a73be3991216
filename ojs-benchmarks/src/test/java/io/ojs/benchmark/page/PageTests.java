package io.ojs.benchmark.page;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.xml.parsers.DocumentBuilderFactory;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Setting;
import io.ojs.benchmark.measure.Measurement;
import io.ojs.benchmark.measure.Scenario;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PageTests {

	private static final Map<String, String> BASE = Map.of("queue", "quorum", "java", "17", "threads", "platform");

	@TempDir
	Path folder;

	private final List<Measurement> measured = new ArrayList<>();

	@BeforeEach
	void facts() throws IOException {
		new Facts("2026-01-02T03:04:05Z", "2026-01-02T04:04:05Z", Map.of("processor", "Abacus 3000"),
				Map.of("RabbitMQ", "9.8.7"), List.of(),
				List.of(new Setting("Abacus", "beads", "70", "as its manual says")), List.of())
			.write(Facts.beside(results()));
	}

	@Test
	void ratiosAreThoseOfTheSameRound() throws IOException {
		// The medians would make 2: round by round it is 4, 1 and 0.5.
		rate("bulk", "OJS", 1, 400);
		rate("bulk", "RAW_OJS", 1, 100);
		rate("bulk", "OJS", 2, 200);
		rate("bulk", "RAW_OJS", 2, 200);
		rate("bulk", "OJS", 3, 50);
		rate("bulk", "RAW_OJS", 3, 100);

		assertThat(row("against the raw client")).isEqualTo(
				"| broker only, in bulk, against the raw client with the same messages | ≥ 0.95 × | 1 (0.5–4) × | yes |  |");
	}

	@Test
	void roundsAreThoseOfOneThing() throws IOException {
		rate("bulk", "OJS", 1, 100);
		rate("bulk", "OJS", 4, 100);
		rate("bulk", "RAW", 7, 100);
		add("bulk", "OJS", 9, with("queue", "classic"), Map.of("rate", 100.0));
		rate("single", "OJS", 3, 100);
		assertThat(row("rounds")).isEqualTo("| rounds | 2 of bulk; 1 of single |");
	}

	@Test
	void roundsThatOneSideLacksAreNoRatio() throws IOException {
		rate("bulk", "OJS", 1, 100);
		rate("bulk", "RAW_OJS", 2, 100);

		assertThat(row("against the raw client")).contains("| not measured | not measured |");
	}

	@Test
	void whatDoesNotHoldIsToldSoAndLinksToItsFlameGraph() throws IOException {
		rate("bulk", "OJS", 1, 70);
		rate("bulk", "RAW_OJS", 1, 100);

		assertThat(row("against the raw client")).contains("0.7 ×").contains("**no**").doesNotContain("flame");

		Path graph = FlameGraphs.file(this.folder.resolve("performance"), Profile.throughput(Contenders.OJS, "bulk"));
		Files.writeString(graph, "");
		assertThat(row("against the raw client")).contains("[flame graph](performance/flame-ojs-bulk.html)");
		assertThat(Page.profiles(results())).containsExactly(Profile.throughput(Contenders.OJS, "bulk"));
	}

	@Test
	void aReasonStandsBesideWhatDoesNotHoldAlone() throws IOException {
		add("latency", "OJS_STORE_DEFAULTS", 1, BASE, Map.of("p50", 2.5));
		add("startup", "OJS", 1, BASE, Map.of("ms", 1_000.0, "collected.mb", 11.0));
		add("startup", "SPRING", 1, BASE, Map.of("ms", 100.0, "collected.mb", 10.0));

		assertThat(row("start of the smallest")).endsWith("| **no** | " + why("startup") + " |");
		assertThat(row("memory of the smallest")).endsWith("| yes |  |");
		assertThat(row("across two processes, p50")).endsWith("| **no** | not explained yet: it held before |");
	}

	private static String why(String key) {
		return Targets.all().stream().filter((target) -> target.key().equals(key)).findFirst().orElseThrow().why();
	}

	@Test
	void atMostHoldsBelow() throws IOException {
		add("latency", "OJS_STORE_DEFAULTS", 1, BASE, Map.of("p50", 2.5, "p99", 7.0));

		assertThat(row("across two processes, p50")).contains("≤ 2 ms").contains("2.5 ms").contains("| **no** |");
		assertThat(row("across two processes, p99")).contains("≤ 8 ms").contains("7 ms").endsWith("| yes |  |");
	}

	@Test
	void withoutMeasurementsNothingHolds() throws IOException {
		String page = page();

		for (Target target : Targets.all()) {
			assertThat(page)
				.contains("| %s | %s | not measured | not measured".formatted(target.text(), target.limitText()));
		}
		assertThat(page).doesNotContain("| yes", "| **no")
			.contains("Abacus 3000")
			.contains("9.8.7")
			.contains("2026-01-02");
	}

	@Test
	void deliveryByTheStoreIsComparedWithDbScheduler() throws IOException {
		for (String scenario : List.of("bulk", "single", "threads")) {
			rate(scenario, "OJS_STORE", 1, 700);
			rate(scenario, "OJS_STORE_DELIVERY", 1, 150);
			rate(scenario, "DB_SCHEDULER", 1, 100);
		}
		add("drain", "OJS_STORE_DELIVERY", 1, with("backlog", "10000"), Map.of("rate", 200.0));
		add("drain", "DB_SCHEDULER", 1, with("backlog", "10000"), Map.of("rate", 100.0));

		String what = "| with the store and `delivery=store`, %s, against db-scheduler | ≥ %s × | %s × | %s |";
		assertThat(page()).contains(what.formatted("in bulk", "1.8", "1.5", "**no**"),
				what.formatted("drain of 10,000 jobs", "1.8", "2", "yes"),
				what.formatted("16 threads", "1.3", "1.5", "yes"), what.formatted("one by one", "1", "1.5", "yes"));
	}

	@Test
	void claimsThatAreHotAreAShareOfJobs() throws IOException {
		Map<String, String> settings = with("backlog", "100000");
		settings.put("way", "bulk");
		add("cost", "OJS_STORE", 1, settings, Map.of("db.updated.hot", 0.93, "cpu.database", 0.6));
		add("cost", "DB_SCHEDULER", 1, settings, Map.of("cpu.database", 2.0));

		assertThat(row("HOT")).endsWith("| ≥ 90 % | 93 % | yes |  |");
		assertThat(row("CPU time of the database")).endsWith("| ≤ 0.4 × | 0.3 × | yes |  |");
	}

	@Test
	void jobsOneByOneHaveTheirOwnCost() throws IOException {
		add("bulk", "OJS", 1, BASE, Map.of("cpu.jvm", 1.0, "cpu.broker", 2.0, "cpu.database", 0.0, "cpu.all", 3.0));
		add("single", "OJS", 1, BASE, Map.of("cpu.jvm", 4.0, "cpu.broker", 5.0, "cpu.database", 0.0, "cpu.all", 9.0));

		assertThat(page()).contains("| OJS, broker only | 1 | 2 | 0 | 3 | 4 | 5 | 0 | 9 |");
	}

	@Test
	void settingsAreThoseOfTheRun() throws IOException {
		assertThat(page()).contains("| Abacus | beads | 70 | as its manual says |");

		Path facts = Facts.beside(results());
		Files.writeString(facts, Files.readString(facts).replaceAll("(?s),\\s*\"settings\".*", "}"));
		assertThat(page()).contains("Not recorded.");
	}

	/** The page has what was measured; the README rounds it. */
	@Test
	void theReadmeHasTheFiguresOfThePage() throws IOException {
		String page = Files.readString(Path.of("../src/docs/performance.md"));
		String measured = Files.readString(Path.of("../README.md")).replaceAll("\\s+", " ");
		assertThat(measured).contains("500 jobs a call: %s times as fast as Spring AMQP with correlated confirms, "
			.formatted(median(page, "broker only, in bulk, against Spring AMQP with correlated confirms"))
				+ "%s times the raw client; "
					.formatted(median(page, "broker only, in bulk, against the raw client with the same messages"))
				+ "with the store %s times JobRunr ".formatted(median(page, "with the store, in bulk, against JobRunr"))
				+ "and %s times db-scheduler.".formatted(median(page, "with the store, in bulk, against db-scheduler")),
				"misses [%d of its %d targets]".formatted(page.split("\\| \\*\\*no\\*\\* \\|", -1).length - 1,
						Targets.all().size()));
	}

	private static String median(String page, String target) {
		String row = page.lines().filter((line) -> line.startsWith("| " + target + " |")).findFirst().orElseThrow();
		return new BigDecimal(row.split("\\|")[3].trim().split(" ")[0]).setScale(1, RoundingMode.HALF_UP).toString();
	}

	@Test
	void keysOfTargetsAreTheirOwn() {
		assertThat(Targets.all()).extracting(Target::key).doesNotHaveDuplicates();
	}

	@Test
	void otherModesAndBacklogsAreNotMixed() throws IOException {
		rate("bulk", "OJS", 1, 1000);
		add("bulk", "OJS", 1, with("queue", "classic"), Map.of("rate", 700.0, "enqueue.rate", 710.0));
		add("drain", "OJS", 1, with("backlog", "10000"), Map.of("rate", 3_000.0));
		add("drain", "OJS", 1, with("backlog", "1000000"), Map.of("rate", 2_400.0));

		assertThat(page()).contains("| OJS, broker only | classic queue, Java 17, platform threads | 710 → 700 |")
			.contains("| broker only | 10,000 jobs | 1,000,000 jobs |")
			.contains("| OJS, broker only | 3,000 | 2,400 |");
	}

	@Test
	void backlogsAreThoseOfTheirGroup() throws IOException {
		add("drain", "OJS", 1, with("backlog", "200000"), Map.of("rate", 3_000.0));
		add("drain", "OJS_STORE", 1, with("backlog", "10000"), Map.of("rate", 2_000.0));

		assertThat(page()).contains("| broker only | 200,000 jobs |", "| with a database | 10,000 jobs |");
	}

	@Test
	void whatHasNoTableOfItsOwnIsToldAllTheSame() throws IOException {
		add("juggling", "OJS", 1, with("balls", "7"), Map.of("throws", 31.0));
		add("micro", "encode", 1, Map.of(), Map.of("ns", 812.0));

		assertThat(page()).contains("## Scenario juggling")
			.contains("| OJS, broker only | balls 7 | 31 |")
			.contains("| encode |  | 812 |");
	}

	@Test
	void laterOnesReplaceEarlierOnesAndThatIsTold() throws IOException {
		rate("bulk", "OJS", 1, 100);
		rate("bulk", "OJS", 1, 300);

		assertThat(page()).contains("Measured again later, and not counted: 1.").contains("300 → 300");
	}

	@Test
	void aLineThatIsNoMeasurementIsNamed() throws IOException {
		Files.writeString(results(), "{\"scenario\":\"bulk\"\n");

		assertThatThrownBy(() -> Page.write(results(), this.folder)).isInstanceOf(IllegalStateException.class)
			.hasMessageStartingWith("Line 1 of ");
	}

	@Test
	void plotsAreImagesThatNameTheContenders() throws Exception {
		for (Contenders contender : Contenders.values()) {
			add("bulk", contender.name(), 1, BASE, Map.of("rate", 100.0, "enqueue.rate", 100.0, "cpu.jvm", 1.0,
					"cpu.broker", 2.0, "cpu.database", 3.0, "cpu.all", 6.0));
			add("single", contender.name(), 1, BASE, Map.of("rate", 10.0, "enqueue.rate", 10.0, "cpu.jvm", 1.0));
			add("latency", contender.name(), 1, BASE, Map.of("p50", 1.0, "p99", 30.0));
			for (String backlog : List.of("10000", "200000")) {
				add("drain", contender.name(), 1, with("backlog", backlog), Map.of("rate", 9.0, "cpu.all", 1.0));
			}
		}
		page();

		for (String name : List.of("throughput", "cost", "latency", "backlog", "backlog-cost")) {
			String words = words(this.folder.resolve("performance/" + name + ".svg"));
			for (Contenders contender : Contenders.values()) {
				assertThat(words).as(name).contains(contender.title());
			}
		}
		assertThat(words(this.folder.resolve("performance/latency.svg"))).contains("percentile", "99", "ms from");
	}

	@Test
	void aRecordingBecomesAFlameGraphThatNeedsNoNetwork() throws IOException {
		Profile profile = new Profile(Contenders.OJS_STORE, Scenario.DRAIN, "");
		try (jdk.jfr.Recording recording = new jdk.jfr.Recording(
				jdk.jfr.Configuration.create(Path.of(System.getProperty("java.home"), "lib/jfr/profile.jfc")))) {
			recording.start();
			burn();
			recording.stop();
			recording.dump(this.folder.resolve("1.jfr"));
		}
		catch (java.text.ParseException ex) {
			throw new IllegalStateException(ex);
		}
		FlameGraphs.write(this.folder, this.folder, profile);

		Path file = this.folder.resolve("performance/flame-ojs-store-drain.html");
		assertThat(file).content().contains("OJS, job store, drain", "burn").doesNotContain("src=\"http");
		assertThat(Files.size(file)).isLessThan(300_000);
	}

	/**
	 * Until the recorder has seen it: on a machine with other work that takes its time.
	 */
	private static void burn() {
		AtomicBoolean seen = new AtomicBoolean();
		try (RecordingStream samples = new RecordingStream()) {
			samples.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
			samples.onEvent("jdk.ExecutionSample", (sample) -> seen.compareAndSet(false, hasBurn(sample)));
			samples.startAsync();
			long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
			double burnt = 0;
			while (!seen.get() && System.nanoTime() < end) {
				burnt += Math.sqrt(burnt + 1);
			}
			assertThat(burnt).isPositive();
		}
		assertThat(seen).isTrue();
	}

	private static boolean hasBurn(RecordedEvent sample) {
		return sample.getStackTrace()
			.getFrames()
			.stream()
			.anyMatch((frame) -> frame.getMethod().getName().equals("burn"));
	}

	private static String words(Path svg) throws Exception {
		DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
		parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
		Document document = parsers.newDocumentBuilder().parse(svg.toFile());
		NodeList texts = document.getElementsByTagName("text");
		StringBuilder words = new StringBuilder();
		for (int i = 0; i < texts.getLength(); i++) {
			words.append(texts.item(i).getTextContent()).append('\n');
		}
		return words.toString();
	}

	private void rate(String scenario, String contender, int round, double rate) {
		add(scenario, contender, round, BASE, Map.of("rate", rate, "enqueue.rate", rate));
	}

	private static Map<String, String> with(String name, String value) {
		Map<String, String> settings = new TreeMap<>(BASE);
		settings.put(name, value);
		return settings;
	}

	private void add(String scenario, String contender, int round, Map<String, String> settings,
			Map<String, Double> figures) {
		this.measured.add(new Measurement(scenario, contender, round, settings, figures));
	}

	private Path results() {
		return this.folder.resolve("results.jsonl");
	}

	private String row(String words) throws IOException {
		return page().lines().filter((line) -> line.contains(words)).findFirst().orElseThrow();
	}

	private String page() throws IOException {
		JsonMapper json = new JsonMapper();
		Files.write(results(), this.measured.stream().map(json::writeValueAsString).toList());
		Page.write(results(), this.folder);
		return Files.readString(this.folder.resolve("performance.md"));
	}

}
