package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers whose transactions have all connections of the pool, for longer than a lease,
 * while another process looks for lost runs.
 */
@ExtendWith(OutputCaptureExtension.class)
class StarvedPoolTests extends StoreCrashFixture {

	private static final int CONNECTIONS = 4;

	@Test
	void jobsRunOnceAndTheLogSaysThatThePoolIsSmall(CapturedOutput output) {
		try (Application observer = observer().start();
				Application worker = settings(application()).with(Slow.class)
					.property("spring.datasource.hikari.maximum-pool-size", CONNECTIONS)
					.property("ojs.queues.desk.concurrency", CONNECTIONS)
					.start()) {
			assertThat(output).containsOnlyOnce("has 4 connections at most; 7 can be needed at once")
				.contains("spring.datasource.hikari.maximum-pool-size to 7 or more");
			List<Job> jobs = Stream.generate(() -> enqueue(observer, "desk.slow")).limit(CONNECTIONS).toList();
			jobs.forEach((job) -> awaitCompleted(observer, job.id()));
			assertThat(runs())
				.containsExactlyInAnyOrderElementsOf(jobs.stream().map((job) -> job.id() + " 1").toList());
			assertThat(events(worker, "type = 'job.started'")).isEqualTo(CONNECTIONS);
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void shardsHaveConsumersOfTheirOwn(CapturedOutput output) {
		try (Application worker = settings(application()).with(Slow.class)
			.property("spring.datasource.hikari.maximum-pool-size", CONNECTIONS)
			.property("ojs.queues.desk.ordering", "key")
			.property("ojs.queues.desk.ordering-shards", CONNECTIONS)
			.start()) {
			int needed = worker.bean(JobWorker.class).consumers("desk") + 3;
			assertThat(needed).isGreaterThan(CONNECTIONS + 3);
			assertThat(output)
				.containsOnlyOnce("has 4 connections at most; %d can be needed at once".formatted(needed));
		}
	}

	@Test
	void oneConnectionIsEnoughForJobsThatTakeNone(CapturedOutput output) {
		try (Application worker = settings(application()).with(Idle.class)
			.property("spring.datasource.hikari.maximum-pool-size", 1)
			.property("ojs.queues.desk.concurrency", 1)
			.start()) {
			assertThat(output).containsOnlyOnce("has 1 connections at most; 4 can be needed at once")
				.contains("spring.datasource.hikari.maximum-pool-size to 4 or more");
			Job job = enqueue(worker, "desk.idle");
			awaitCompleted(worker, job.id());
			assertRan(worker, job.id(), 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Its handler runs for longer than a lease lasts, and leaves the database alone. */
	static class Idle {

		private final Path ledger;

		Idle(@Value("${" + StoreCrashes.LEDGER + "}") Path ledger) {
			this.ledger = ledger;
		}

		@OjsJobHandler(value = "desk.idle", queue = "desk")
		void run(JobContext context) {
			StoreCrashes.note(this.ledger, context.job().id() + " " + context.attempt());
			await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
		}

	}

	/** Its handler is in the database for longer than a lease lasts. */
	static class Slow {

		private final Path ledger;

		private final JdbcTemplate jdbc;

		private final TransactionTemplate transactions;

		Slow(@Value("${" + StoreCrashes.LEDGER + "}") Path ledger, JdbcTemplate jdbc,
				PlatformTransactionManager transactions) {
			this.ledger = ledger;
			this.jdbc = jdbc;
			this.transactions = new TransactionTemplate(transactions);
		}

		@OjsJobHandler(value = "desk.slow", queue = "desk")
		void run(JobContext context) {
			StoreCrashes.note(this.ledger, context.job().id() + " " + context.attempt());
			this.transactions.executeWithoutResult((status) -> this.jdbc.execute("select pg_sleep(5)"));
		}

	}

}
