package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ojs.client.DuplicateJobException;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.UniqueDimension;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.logging.LoggingInitializationContext;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The arguments of an encrypted job are with whoever enqueues it and with its handler,
 * and nowhere else.
 */
class EncryptionTests extends BrokerTest {

	private static final Pattern CIPHERTEXT = Pattern.compile("data\\\\*\"\\s*:\\s*\\\\*\"([A-Za-z0-9+/=]{16,})");

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String NEW_KEY = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private final PostgresDatabase database = StoreDatabases.create();

	private final SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.url(),
			this.database.username(), this.database.password(), true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connection);

	private final String marker = "card-" + UUID.randomUUID();

	@TempDir
	private Path directory;

	@BeforeEach
	void forget() {
		Vault.seen.clear();
		Vault.failures = 0;
	}

	@AfterEach
	void dropDatabase() {
		this.connection.destroy();
		this.database.close();
	}

	/** What comes later in this JVM has its console again. */
	@AfterEach
	void restoreLogging() {
		for (LoggingSystemProperty property : LoggingSystemProperty.values()) {
			System.clearProperty(property.getEnvironmentVariableName());
		}
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.cleanUp();
		logging.beforeInitialize();
		logging.initialize(new LoggingInitializationContext(new StandardEnvironment()), null, null);
		// Otherwise the next application would find it made, and leave it so.
		logging.cleanUp();
	}

	private Application.Starter vault() {
		return application(Vault.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.encryption.keys.k1", KEY)
			.property("ojs.encryption.queues", "vault,shelf")
			.property("ojs.store.relay-grace", "3s");
	}

	@Test
	@Tag("EI-002")
	@Tag("EI-013")
	@Tag("EI-R005")
	void argumentsAreNowhere() throws IOException {
		Path log = this.directory.resolve("trace.log");
		try (Application application = vault().with(TracingTests.Exporter.class)
			.managed()
			.traced()
			.property("ojs.http.enabled", true)
			.property("ojs.http.allow-anonymous", true)
			.property("logging.level.root", "TRACE")
			.property("logging.threshold.console", "OFF")
			.property("logging.file.name", log.toString())
			.start()) {
			List<String> ids = lives(application);
			InMemorySpanExporter spans = application.bean(InMemorySpanExporter.class);
			await().untilAsserted(() -> {
				application.bean(SdkTracerProvider.class).forceFlush();
				assertThat(spans.getFinishedSpanItems()).extracting(SpanData::getName)
					.contains("vault enqueue", "vault process");
			});
			assertThat(Vault.seen).contains("open " + this.marker, "fails " + this.marker, "doomed " + this.marker,
					"step " + this.marker, "replayed " + this.marker);
			assertThat(spans.getFinishedSpanItems().toString()).contains(ids.get(0))
				.doesNotContain(this.marker, "ojs_encoded", "binary/encrypted")
				.doesNotContain(ciphertexts(rows()));
			assertThat(application.events().toString()).contains(ids.get(0)).doesNotContain(this.marker);
			assertHidden(answers(application, ids));
			assertHidden(List.of(rows()));
			List<String> messages = messages();
			assertThat(messages).isNotEmpty();
			assertHidden(messages);
		}
		String logged = Files.readString(log);
		assertThat(logged).contains("TRACE");
		assertHidden(List.of(logged));
		// Those that encryption.md names, and none of this library.
		assertThat(loggersOfCiphertext(logged)).containsExactly("o.postgresql.core.v3.QueryExecutorImpl",
				"o.s.jdbc.core.StatementCreatorUtils");
	}

	/** What stands for arguments in rows. */
	private static String[] ciphertexts(String rows) {
		String[] found = CIPHERTEXT.matcher(rows).results().map((data) -> data.group(1)).toArray(String[]::new);
		assertThat(found).hasSizeGreaterThan(3).allMatch((data) -> data.length() > 30);
		return found;
	}

	/** Those that have written what is encrypted, as it is. */
	private static Set<String> loggersOfCiphertext(String logged) {
		Pattern event = Pattern.compile("\\d{4}-\\S+ +[A-Z]+ \\d+ --- (?:\\[[^\\]]*] )+(\\S+) +: .*");
		Set<String> loggers = new TreeSet<>();
		String logger = "none";
		for (String line : logged.lines().toList()) {
			Matcher begins = event.matcher(line);
			logger = begins.matches() ? begins.group(1) : logger;
			if (line.contains("ojs_encoded")) {
				loggers.add(logger);
			}
		}
		return loggers;
	}

	/** Everything that can happen to a job happens to one whose arguments are secret. */
	private List<String> lives(Application application) {
		List<String> ids = new ArrayList<>();
		ids.add(application.ojs().enqueue("vault.open", this.marker).id());
		Vault.failures = 1;
		ids.add(application.ojs().enqueue("vault.fails", this.marker).id());
		ids.add(application.ojs().enqueue("vault.doomed", this.marker).id());
		ids.add(application.ojs().enqueue("vault.number", this.marker).id());
		ids.add(application.ojs()
			.enqueue(JobRequest.of("vault.later", Map.of("card", this.marker))
				.queue("shelf")
				.scheduledAt(Instant.now().plus(Duration.ofDays(1))))
			.id());
		ids.add(application.ojs().enqueue(JobRequest.of("vault.waits", this.marker).queue("shelf")).id());
		application.bean(CronJobs.class)
			.register(CronRequest.of("secret", "0 0 1 1 *", JobRequest.of("vault.open", this.marker).queue("vault")));
		String workflow = application.bean(Workflows.class)
			.start(Workflow.chain("steps")
				.then(JobRequest.of("vault.step", this.marker))
				.then(JobRequest.of("vault.step", this.marker)))
			.id();
		await().until(() -> application.bean(Workflows.class)
			.find(workflow)
			.orElseThrow()
			.state() == WorkflowState.COMPLETED);
		await().until(() -> state(application, ids.get(0)) == JobState.COMPLETED);
		await().until(() -> state(application, ids.get(1)) == JobState.COMPLETED);
		await().until(() -> state(application, ids.get(2)) == JobState.DISCARDED);
		await().until(() -> state(application, ids.get(3)) == JobState.DISCARDED);
		assertThat(application.ojs().find(ids.get(3)).orElseThrow().errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("[encrypted]", "int number"));
		Vault.replaying = true;
		application.bean(DeadLetters.class).replay(ids.get(2), ReplayOverrides.NONE.args(this.marker)).orElseThrow();
		await().until(() -> state(application, ids.get(2)) == JobState.COMPLETED);
		Vault.replaying = false;
		return ids;
	}

	private static JobState state(Application application, String id) {
		return application.ojs().find(id).orElseThrow().state();
	}

	private void assertHidden(List<String> texts) {
		String hex = HexFormat.of().formatHex(this.marker.getBytes(StandardCharsets.UTF_8));
		assertThat(texts).allSatisfy((text) -> {
			// Not by AssertJ, which would print all of it.
			assertThat(text.contains(this.marker)).as("shows the arguments").isFalse();
			assertThat(text.contains(hex)).as("shows the arguments in hexadecimal digits").isFalse();
		});
	}

	private List<String> answers(Application application, List<String> ids) {
		List<String> paths = new ArrayList<>(List.of("/ojs/v1/admin/jobs?per_page=100", "/ojs/v1/dead-letter",
				"/ojs/v1/events", "/ojs/v1/cron", "/ojs/v1/cron/secret", "/ojs/v1/workflows", "/actuator/ojs",
				"/actuator/prometheus", "/actuator/configprops", "/actuator/env", "/actuator/beans"));
		ids.forEach((id) -> paths.add("/ojs/v1/jobs/" + id));
		List<String> answers = new ArrayList<>();
		for (String path : paths) {
			var answer = application.get(path);
			assertThat(answer.statusCode()).as(path).isEqualTo(200);
			answers.add(answer.body());
		}
		assertThat(String.join("", answers)).contains("ojs_encoded").doesNotContain(KEY);
		return answers;
	}

	private String rows() {
		StringBuilder rows = new StringBuilder();
		this.jdbc
			.queryForList("select table_name from information_schema.tables where table_schema = 'public'",
					String.class)
			.forEach((table) -> rows
				.append(this.jdbc.queryForList("select row_to_json(t)::text from " + table + " t", String.class)));
		assertThat(rows).contains("ojs.codec.key_id", "vault.later", "secret");
		return rows.toString();
	}

	private List<String> messages() {
		return client().drain("ojs.queue.shelf")
			.stream()
			.map((message) -> message.getProps() + new String(message.getBody(), StandardCharsets.UTF_8))
			.toList();
	}

	@Test
	@Tag("EI-013")
	void whoeverRelaysJobsNeverHasTheirArguments() throws Exception {
		List<String> ids = new ArrayList<>();
		// A broker that is not there: the jobs stay where they were committed.
		try (Application front = Application.on("amqp://guest:guest@127.0.0.1:1")
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.encryption.keys.k1", KEY)
			.property("ojs.topology.declaration", "lazy")
			.property("ojs.worker.enabled", false)
			.start()) {
			for (int i = 0; i < 50; i++) {
				ids.add(front.ojs().enqueue(JobRequest.of("vault.waits", this.marker + "-" + i).queue("shelf")).id());
			}
		}
		// It relays, and has no key.
		try (ChildApplication relay = ChildApplication.on(uri())
			.property("ojs.store.enabled", true)
			.property("spring.datasource.url", this.database.url())
			.property("spring.datasource.username", this.database.username())
			.property("spring.datasource.password", this.database.password())
			.property("ojs.worker.enabled", false)
			.start()) {
			relay.awaitStarted();
			await().until(() -> client().exists("ojs.queue.shelf") && client().count("ojs.queue.shelf") == ids.size());
			byte[] heap = heap(relay.pid());
			assertThat(contains(heap, ids.get(0))).as("the heap of the relay").isTrue();
			assertThat(contains(heap, this.marker)).isFalse();
		}
		List<String> messages = messages();
		assertThat(messages).hasSameSizeAs(ids);
		assertHidden(messages);
	}

	private byte[] heap(long pid) throws IOException, InterruptedException {
		Path dump = this.directory.resolve("relay.hprof");
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(pid), "GC.heap_dump", "-all", dump.toString())
			.redirectErrorStream(true)
			.redirectOutput(this.directory.resolve("jcmd.log").toFile())
			.start();
		assertThat(jcmd.waitFor()).isZero();
		return Files.readAllBytes(dump);
	}

	/** As Java keeps text: a byte for each character, or two. */
	private static boolean contains(byte[] heap, String text) {
		return Stream.of(text.getBytes(StandardCharsets.ISO_8859_1), text.getBytes(StandardCharsets.UTF_16LE))
			.anyMatch((wanted) -> indexOf(heap, wanted) >= 0);
	}

	private static int indexOf(byte[] bytes, byte[] wanted) {
		for (int i = 0; i <= bytes.length - wanted.length; i++) {
			int same = 0;
			while (same < wanted.length && bytes[i + same] == wanted[same]) {
				same++;
			}
			if (same == wanted.length) {
				return i;
			}
		}
		return -1;
	}

	@Test
	@Tag("EI-001")
	void uniqueJobsMeetEachOther() {
		JobRequest request = JobRequest.of("vault.waits", this.marker)
			.queue("shelf")
			.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		try (Application application = vault().start()) {
			Job first = application.ojs().enqueue(request);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> application.ojs().enqueue(request))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(first.id()))
				.satisfies((ex) -> assertThat(ex.toString()).doesNotContain(this.marker));
		}
		// And with a new key.
		try (Application rotated = vault().property("ojs.encryption.keys.k2", NEW_KEY)
			.property("ojs.encryption.active-key", "k2")
			.start()) {
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> rotated.ojs().enqueue(request));
		}
	}

	@Test
	void jobsOfTheOldKeyAreWorkedByThoseWhoHaveBoth() {
		Job old;
		try (Application before = vault().property("ojs.worker.enabled", false).start()) {
			old = before.ojs().enqueue("vault.open", this.marker);
			before.bean(CronJobs.class)
				.register(CronRequest.of("nightly", "0 0 1 1 *",
						JobRequest.of("vault.open", this.marker).queue("vault")));
		}
		try (Application after = vault().property("ojs.encryption.keys.k2", NEW_KEY)
			.property("ojs.encryption.active-key", "k2")
			.start()) {
			await().until(() -> state(after, old.id()) == JobState.COMPLETED);
			assertThat(Vault.seen).containsExactly("open " + this.marker);
			String fired = after.bean(CronJobs.class).trigger("nightly").jobId();
			await().until(() -> state(after, fired) == JobState.COMPLETED);
			assertThat(Vault.seen).containsExactly("open " + this.marker, "open " + this.marker);
			assertThat(after.ojs().find(fired).orElseThrow().meta()).containsEntry("ojs.codec.key_id", "k2");
		}
	}

	@Test
	void whoHasNotTheKeyTriesAgainUntilItIsThere() throws IOException {
		Job job;
		try (Application front = vault().property("ojs.encryption.keys.k2", NEW_KEY)
			.property("ojs.encryption.active-key", "k2")
			.property("ojs.queues.vault.retry.max-attempts", 100)
			.property("ojs.worker.enabled", false)
			.start()) {
			job = front.ojs().enqueue("vault.open", this.marker);
		}
		Path keys = Files.write(this.directory.resolve("keys"), List.of("active=k1", "k1=" + KEY));
		try (Application worker = application(Vault.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.encryption.key-file", keys.toUri().toString())
			.property("ojs.queues.vault.retry.initial-interval", "1s")
			.property("ojs.queues.vault.retry.max-interval", "1s")
			.start()) {
			await().until(() -> !worker.ojs().find(job.id()).orElseThrow().errors().isEmpty());
			assertThat(worker.ojs().find(job.id()).orElseThrow().errors().get(0).message())
				.contains("The encryption key 'k2' is not known here");
			Files.write(keys, List.of("active=k2", "k1=" + KEY, "k2=" + NEW_KEY));
			await().until(() -> state(worker, job.id()) == JobState.COMPLETED);
			assertThat(Vault.seen).containsExactly("open " + this.marker);
		}
	}

	static class Vault {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		static volatile int failures;

		static volatile boolean replaying;

		@OjsJobHandler(value = "vault.open", queue = "vault")
		void open(String card) {
			seen.add("open " + card);
		}

		@OjsJobHandler(value = "vault.fails", queue = "vault")
		void fails(String card, JobContext context) {
			seen.add("fails " + card);
			context.progress(0.5, "half");
			if (context.attempt() <= failures) {
				throw new IllegalStateException("the first time");
			}
		}

		@OjsJobHandler(value = "vault.doomed", queue = "vault")
		void doomed(String card) {
			seen.add((replaying ? "replayed " : "doomed ") + card);
			if (!replaying) {
				throw new IllegalStateException("always");
			}
		}

		@OjsJobHandler(value = "vault.number", queue = "vault")
		void number(int number) {
			seen.add("number " + number);
		}

		@OjsJobHandler(value = "vault.step", queue = "vault")
		void step(String card) {
			seen.add("step " + card);
		}

	}

}
