package io.ojs.boot.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.ojs.amqp.QueueContracts;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.internal.OjsFailureAnalyzer;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * {@code --ojs.contracts.directory}: one page for each queue, written without a broker.
 */
class ContractsCommandTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				OjsContractsAutoConfiguration.class))
		.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1))
		.withBean("mails", Mails.class)
		.withPropertyValues("ojs.topology.declaration=none");

	@Test
	@Tag("PLAY-1-1")
	void commandWritesAPageForEachQueueAndEndsWithZeroAndAsksNoBroker(@TempDir Path folder) throws Exception {
		Path pages = folder.resolve("docs").resolve("queues");
		Path log = folder.resolve("log");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				Main.class.getName(), "--ojs.contracts.directory=" + pages, "--spring.rabbitmq.port=1",
				"--ojs.queues.bulk.type=classic")
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		await().atMost(Duration.ofSeconds(60)).until(() -> !process.isAlive());
		assertThat(process.exitValue()).as(Files.readString(log)).isZero();
		try (var files = Files.list(pages)) {
			assertThat(files.map((file) -> file.getFileName().toString())).containsExactlyInAnyOrder("email.md",
					"bulk.md");
		}
		assertThat(Files.readString(log)).contains("Wrote").doesNotContain("Connection refused", "cannot be reached");
		assertThat(Files.readString(pages.resolve("bulk.md"))).contains("None in this application",
				"queue type | classic");
	}

	@Test
	void pageSaysWhatIsDeclaredWhoWorksItAndWhenItIsTriedAgain() {
		this.runner
			.withPropertyValues("ojs.queues.email.max-length=1000", "ojs.queues.email.retry.max-attempts=4",
					"ojs.queues.email.retry.non-retryable-errors=com.example.*", "ojs.queues.email.prefetch=3")
			.run((context) -> {
				String page = context.getBean(QueueContracts.class).markdown("email");
				assertThat(page).contains("| `ojs.queue.email` | `email` of `ojs.exchange.direct` |",
						"`x-max-length=1000`",
						"| `email.send` | `to: String`<br>`template: Template {name: String, version: int}`<br>`copies: Optional<List<String>>` |",
						"| `email.sweep` | none |", "Concurrency: 4 jobs at a time in each process. Prefetch: 3",
						"`email.send`: 4 executions in all, then dead letter. Each delay is spread",
						"Never tried again: `com.example.*`.", "| 3 | 4s | `ojs.queue.retry.email.4000` |",
						"`email.sweep`: 2 executions in all, then dead letter.",
						"| 1 | 1m30s | `ojs.queue.retry.email.96000` |",
						"`ojs.queue.dlx.email`, through `ojs.exchange.dlx`", "None: jobs run side by side.");
				assertThat(page).doesNotContain("\n\n\n").endsWith("|\n");
				assertThat(context.getBean(QueueContracts.class).markdown("email")).isEqualTo(page);
			});
	}

	@Test
	void pageOfAnOrderedQueueSaysHowToFindTheShard() {
		this.runner.withPropertyValues("ojs.queues.books.ordering=key", "ojs.queues.books.ordering-shards=2")
			.run((context) -> {
				String page = context.getBean(QueueContracts.class).markdown("books");
				assertThat(page).contains("CRC-32 of its UTF-8 bytes, modulo 2", "| 1 | `books_1` |",
						"| `ojs.queue.books_0` | `books_0` of `ojs.exchange.direct` |", "x-single-active-consumer=true",
						"`ojs.queue.retry.books_0.1000`");
			});
	}

	@Test
	void directoryThatCannotBeWrittenToIsRefused(@TempDir Path folder) throws IOException {
		Path file = Files.createFile(folder.resolve("file"));
		this.runner.withPropertyValues("ojs.contracts.directory=" + file.resolve("pages")).run((context) -> {
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("ojs.contracts.directory = " + file, "cannot be written to");
		});
	}

	static class Mails {

		@OjsJobHandler(value = "email.send", queue = "email", concurrency = 4)
		void send(String to, Template template, JobContext context, Optional<List<String>> copies) {
		}

		@OjsJobHandler(value = "email.sweep", queue = "email",
				retry = @OjsRetry(maxAttempts = 2, initialInterval = "90s"))
		void sweep() {
		}

	}

	record Template(String name, int version) {
	}

	/**
	 * An application, as its jar would start it.
	 */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Main {

		public static void main(String[] arguments) {
			new SpringApplicationBuilder(Main.class, Mails.class).web(WebApplicationType.NONE).run(arguments);
		}

	}

}
