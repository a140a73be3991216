package io.ojs.replay;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The command as somebody types it, against a real broker.
 */
@Tag("broker")
class ReplayCommandTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private final List<String> questions = new ArrayList<>();

	private @Nullable String answer;

	private VirtualHost virtualHost;

	private Connection connection;

	private Channel channel;

	private int made;

	@BeforeEach
	void open() throws Exception {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(this.virtualHost.uri());
		this.connection = factory.newConnection();
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
		declare("");
	}

	@AfterEach
	void close() throws Exception {
		this.connection.close();
		this.virtualHost.close();
	}

	private void declare(String prefix) throws Exception {
		this.channel.exchangeDeclare(prefix + "ojs.exchange.direct", "direct", true);
		this.channel.queueDeclare(prefix + "ojs.queue.email", true, false, false, Map.of("x-queue-type", "quorum"));
		this.channel.queueBind(prefix + "ojs.queue.email", prefix + "ojs.exchange.direct", "email");
		this.channel.queueDeclare(prefix + "ojs.queue.dlx.email", true, false, false, Map.of("x-queue-type", "quorum"));
	}

	private void dead(String queue, int number, String type, Map<String, Object> headers) throws Exception {
		for (int i = 0; i < number; i++) {
			String id = "019461a8-1a2b-7c3d-8e4f-%012d".formatted(++this.made);
			Map<String, Object> all = new HashMap<>(Map.of("x-ojs-error-type", "java.lang.IllegalStateException",
					"x-ojs-error-code", "HANDLER_ERROR", "x-ojs-error-at", "2026-03-15T09:30:00Z"));
			all.putAll(headers);
			this.channel.basicPublish("", queue,
					new BasicProperties.Builder().messageId(id)
						.type(type)
						.contentType("application/openjobspec+json")
						.headers(all)
						.build(),
					"{\"id\":\"%s\",\"type\":\"%s\",\"queue\":\"email\",\"args\":[]}".formatted(id, type)
						.getBytes(StandardCharsets.UTF_8));
		}
		this.channel.waitForConfirmsOrDie(10_000);
	}

	private int run(String... arguments) {
		return run(Map.of("OJS_REPLAY_URI", this.virtualHost.uri()), arguments);
	}

	private int run(Map<String, String> environment, String... arguments) {
		Terminal terminal = new Terminal(null) {

			@Override
			boolean isInteractive() {
				return ReplayCommandTests.this.answer != null;
			}

			@Override
			boolean confirms(String question) {
				ReplayCommandTests.this.questions.add(question);
				return "y".equals(ReplayCommandTests.this.answer);
			}

		};
		CommandLine commandLine = ReplayApplication.commandLine(new ReplayCommand(terminal, environment::get))
			.setOut(new PrintWriter(this.out))
			.setErr(new PrintWriter(this.err));
		return commandLine.execute(arguments);
	}

	private long waiting(String queue) throws Exception {
		return this.channel.messageCount(queue);
	}

	@Test
	void dryRunPrintsATableAndReplaysNothing() throws Exception {
		dead("ojs.queue.dlx.email", 3, "email.send", Map.of());
		dead("ojs.queue.dlx.email", 1, "email.render", Map.of("x-ojs-error-code", "\u001b[31mRED"));
		assertThat(run("-q", "email", "--dry-run")).isZero();
		assertThat(this.out.toString().lines()).containsExactly(
				"QUEUE  TYPE          ERROR                            CODE           WOULD BE REPLAYED",
				"email  email.send    java.lang.IllegalStateException  HANDLER_ERROR  3",
				"email  email.render  java.lang.IllegalStateException  \\u001b[31mRED  1",
				"email: looked at 4, would replay 4, skipped 0, left 4.");
		assertThat(this.err.toString()).contains("email: 4 of 4 dead letters");
		assertThat(waiting("ojs.queue.email")).isZero();
	}

	@Test
	@Tag("PLAY-7-1")
	void filtersAndOverridesAreThoseOfTheOptions() throws Exception {
		dead("ojs.queue.dlx.email", 1, "email.send", Map.of());
		for (Map.Entry<String, Map<String, Object>> other : Map
			.<String, Map<String, Object>>of("emails.send", Map.of(), "email.error",
					Map.of("x-ojs-error-type", "com.example.Other"), "email.code", Map.of("x-ojs-error-code", "OTHER"),
					"email.young", Map.of("x-ojs-error-at", "2026-05-01T00:00:00Z"), "email.old",
					Map.of("x-ojs-error-at", "2025-05-01T00:00:00Z"))
			.entrySet()) {
			dead("ojs.queue.dlx.email", 1, other.getKey(), other.getValue());
		}
		assertThat(run("--queue", "email", "--type", "email.*", "--error-type", "java.lang.*", "--error-code",
				"HANDLER_ERROR", "--dead-since", "2026-01-01T00:00:00Z", "--dead-before", "2026-04-01T00:00:00+02:00",
				"--max-attempts", "9", "--priority", "50", "--yes"))
			.isZero();
		assertThat(this.out.toString()).contains("replayed 1, skipped 5 not matching, left 5.");
		GetResponse job = this.channel.basicGet("ojs.queue.email", true);
		assertThat(job.getProps().getType()).isEqualTo("email.send");
		assertThat(job.getProps().getPriority()).isEqualTo(9);
		assertThat(job.getProps().getHeaders()).containsEntry("x-ojs-max-attempts", 9);
	}

	@Test
	void tenantIsAnOptionToo() throws Exception {
		for (String tenant : List.of("acme", "other")) {
			String body = "{\"id\":\"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f\",\"type\":\"email.send\",\"queue\":\"email\","
					+ "\"args\":[],\"meta\":{\"tenant_id\":\"%s\"}}".formatted(tenant);
			this.channel.basicPublish("", "ojs.queue.dlx.email",
					new BasicProperties.Builder().contentType("application/openjobspec+json").build(),
					body.getBytes(StandardCharsets.UTF_8));
		}
		dead("ojs.queue.dlx.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email", "-y", "--tenant", "acme")).isZero();
		assertThat(this.out.toString()).contains("replayed 1, skipped 2 not matching, left 2.");
		assertThat(new String(this.channel.basicGet("ojs.queue.email", true).getBody(), StandardCharsets.UTF_8))
			.contains("acme");
	}

	@Test
	void idMaximumAndStackHashAreOptionsToo() throws Exception {
		dead("ojs.queue.dlx.email", 5, "email.send", Map.of("x-ojs-error-stack-hash", "0123456789abcdef"));
		assertThat(run("-q", "email", "-y", "--id", "019461a8-1a2b-7c3d-8e4f-000000000003")).isZero();
		assertThat(this.channel.basicGet("ojs.queue.email", true).getProps().getMessageId()).endsWith("3");
		assertThat(run("-q", "email", "-y", "--stack-hash", "0123456789abcdef", "--max", "2", "--rate", "100"))
			.isZero();
		assertThat(this.out.toString()).contains("replayed 2, skipped 0, left 2. The maximum was reached.");
		assertThat(waiting("ojs.queue.email")).isEqualTo(2);
	}

	/** Poison messages: no valid job has such an id or such a type. */
	@Test
	void messagesThatAreNoJobsAreSelectedToo() throws Exception {
		for (String id : List.of("order-17", "order-18")) {
			this.channel.basicPublish("", "ojs.queue.dlx.email",
					new BasicProperties.Builder().messageId(id).type("EmailSend").build(),
					"{}".getBytes(StandardCharsets.UTF_8));
		}
		dead("ojs.queue.dlx.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email", "-y", "--id", "Order-17")).isZero();
		assertThat(this.out.toString()).contains("replayed 1, skipped 2 not matching, left 2.");
		assertThat(this.channel.basicGet("ojs.queue.email", true).getProps().getMessageId()).isEqualTo("order-17");
		assertThat(run("-q", "email", "-y", "--type", "EmailSend")).isZero();
		assertThat(this.channel.basicGet("ojs.queue.email", true).getProps().getMessageId()).isEqualTo("order-18");
		assertThat(waiting("ojs.queue.dlx.email")).isOne();
	}

	@Test
	void personIsAskedAfterADryRun() throws Exception {
		dead("ojs.queue.dlx.email", 2, "email.send", Map.of());
		this.answer = "n";
		assertThat(run("-q", "email")).isOne();
		assertThat(this.questions).hasSize(1);
		assertThat(this.err.toString()).contains("Nothing was replayed.");
		assertThat(waiting("ojs.queue.email")).isZero();
		this.answer = "y";
		assertThat(run("-q", "email")).isZero();
		assertThat(this.out.toString()).contains("would replay 2", "replayed 2");
		assertThat(waiting("ojs.queue.email")).isEqualTo(2);
	}

	@Test
	void withoutAPersonItWantsYes() throws Exception {
		dead("ojs.queue.dlx.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email")).isEqualTo(2);
		assertThat(this.err.toString()).contains("'--yes'", "--dry-run");
		assertThat(waiting("ojs.queue.email")).isZero();
	}

	@Test
	void whatCannotBeReplayedIsAnError() throws Exception {
		dead("ojs.queue.dlx.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email", "-y", "--to-queue", "nowhere")).isOne();
		assertThat(this.out.toString()).contains("skipped 1 unroutable, left 1.");
		assertThat(run("-q", "emial", "-y")).isOne();
		assertThat(this.err.toString()).contains("no dead letter queue 'ojs.queue.dlx.emial'");
		assertThat(run("-q", "email", "-y", "--uri", "amqp://nobody:wrong@127.0.0.1:1")).isOne();
		assertThat(this.err.toString()).contains("broker cannot be reached", "Check --uri").doesNotContain("wrong");
	}

	@Test
	void prefixAndNamingAreThoseOfTheApplication() throws Exception {
		declare("shop.");
		dead("shop.ojs.queue.dlx.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email", "-y", "--prefix", "shop")).isZero();
		assertThat(waiting("shop.ojs.queue.email")).isOne();
		this.channel.queueDeclare("ojs.dead.email", true, false, false, Map.of("x-queue-type", "quorum"));
		this.channel.exchangeDeclare("ojs.direct", "direct", true);
		this.channel.queueBind("ojs.queue.email", "ojs.direct", "email");
		dead("ojs.dead.email", 1, "email.send", Map.of());
		assertThat(run("-q", "email", "-y", "--naming", "guide")).isZero();
		assertThat(waiting("ojs.queue.email")).isOne();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					--queue Email            | --queue        | Email  | must be lower-case letters
					-q email --rate fast     | --rate         | fast   | such as 50
					-q email --rate 0        | --rate         | 0.0    | between 0.001 and 100000
					-q email --max many      | --max          | many   | such as 1000
					-q email --max 0         | --max          | 0      | 1 or more
					-q email --priority 101  | --priority     | 101    | between -100 and 100
					-q email --max-attempts -1 | --max-attempts | -1   | must not be negative
					-q email --id .*         | --id           | .*     | must be the id of a job
					-q email --type .*       | --type         | .*     | must be the type of a job
					-q email --error-type .* | --error-type   | .*     | must be the type of an error
					-q email --error-code .* | --error-code   | .*     | must be the code of an error
					-q email --stack-hash .* | --stack-hash   | .*     | such as 0123456789abcdef
					-q email --dead-since 2026-03-15T09:30:00Z --dead-before 2026-03-14T09:30:00Z | --dead-before | 2026-03-14T09:30:00Z | later than since
					-q email --to-queue ÄÖ   | --to-queue     | ÄÖ     | must be lower-case letters
					-q email --dead-since soon | --dead-since | soon   | 2026-03-15T09:30:00Z
					-q email --dead-before 2026-03-15 | --dead-before | 2026-03-15 | 12h
					-q email -n --naming best | --naming      | best   | binding or guide
					-q email -n --uri nonsense | --uri        | amqp://user:password@host:5672/vhost | special characters
					""")
	void wrongOptionIsNamedWithItsValueAndTheFix(String arguments, String option, String value, String fix) {
		assertThat(run(arguments.strip().split(" "))).isEqualTo(2);
		assertThat(this.err.toString()).contains("'" + option + "'", value, fix);
	}

	@Test
	void whatIsMissingIsNamedWithAnExample() {
		assertThat(run()).isEqualTo(2);
		assertThat(this.err.toString()).contains("'--queue'", "--queue email");
		assertThat(run(Map.of(), "-q", "email", "--dry-run")).isEqualTo(2);
		assertThat(this.err.toString()).contains("'--uri'", "amqp://user:password@host:5672/vhost", "OJS_REPLAY_URI");
	}

	@Test
	void helpTellsEveryOption() {
		assertThat(run("--help")).isZero();
		assertThat(this.out.toString()).contains("--queue", "--dry-run", "--uri", "Exit codes:", "Examples:")
			.satisfies((help) -> assertThat(help.lines()).allMatch((line) -> line.length() <= 110));
	}

	@Test
	void processThatIsToldToEndSettlesWhatItHolds(@TempDir Path folder) throws Exception {
		dead("ojs.queue.dlx.email", 300, "email.send", Map.of());
		Path log = folder.resolve("log");
		List<String> command = new ArrayList<>(
				Arrays.asList(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("java.class.path"), ReplayApplication.class.getName(), "-q", "email",
						"--yes", "--rate", "30"));
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
		builder.environment().put("OJS_REPLAY_URI", this.virtualHost.uri());
		Process process = builder.start();
		try {
			await().atMost(Duration.ofSeconds(30)).until(() -> waiting("ojs.queue.email") > 20);
			process.destroy();
			await().atMost(Duration.ofSeconds(20)).until(() -> !process.isAlive());
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(Files.readString(log)).contains("email: looked at").contains("It was cancelled.");
		await().until(() -> waiting("ojs.queue.email") + waiting("ojs.queue.dlx.email") == 300);
		assertThat(waiting("ojs.queue.dlx.email")).isPositive();
	}

}
