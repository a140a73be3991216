package io.ojs.boot.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.fetch.FetchedQueueStore;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.queue.Queues;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.test.internal.fault.Direction;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that the store delivers, while the broker, the database, a connection or a process
 * is lost.
 */
@Tag("faults")
class StoreDeliveryFaultsTests extends StoreDeliveryFixture {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@TempDir
	private Path folder;

	private void assertEachRanOnceAndCountsOnce(List<Job> jobs) {
		await().atMost(PATIENCE).until(() -> count(JobState.COMPLETED) == jobs.size());
		assertThat(Desk.runs).containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
		assertThat(attempts()).containsOnlyKeys(1);
	}

	@Test
	void withoutABrokerJobsRunAndSoDoTheirRetries() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create()) {
			String uri = node.newVirtualHost().uri();
			try (Application application = instance(uri).with(Desk.class).start();
					Application producer = instance(uri).property("ojs.worker.enabled", false).start()) {
				Job before = enqueue(application, 1).get(0);
				awaitState(application, before, JobState.COMPLETED);
				node.kill();
				List<Job> jobs = new ArrayList<>(enqueue(application, 10));
				jobs.addAll(enqueue(producer, 10));
				jobs.add(producer.ojs().enqueue(JobRequest.of("desk.second").queue("desk")));
				jobs.add(producer.ojs()
					.enqueue(JobRequest.of("desk.note", "later")
						.queue("desk")
						.scheduledAt(Instant.now().plusSeconds(1))));
				awaitCompleted(jobs);
				assertThat(Desk.runs).hasSize(jobs.size() + 2);
				assertThat(attempts()).containsEntry(1, jobs.size()).containsEntry(2, 1);
				// Nor does a start need it.
				try (Application late = instance(uri).with(Desk.class)
					.property("ojs.queues.desk.concurrency", 1)
					.start()) {
					// Another process may be quicker, and have them all.
					await().pollDelay(Duration.ZERO).until(() -> {
						enqueue(producer, 50);
						return late.events().stream().anyMatch((event) -> event.name().equals("job.completed"));
					});
				}
			}
		}
	}

	@Test
	void queuesArePausedAndResumedWithoutABroker() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create()) {
			String uri = node.newVirtualHost().uri();
			node.kill();
			try (Application application = instance(uri).with(Desk.class).with(Till.class).start()) {
				awaitState(application, enqueue(application, 1).get(0), JobState.COMPLETED);
				application.bean(Queues.class).pause("desk");
				await().untilAsserted(() -> assertThat(application.bean(JobWorker.class).containers())
					.noneMatch((consumers) -> consumers.amqpQueues().contains("desk")));
				Job job = enqueue(application, 1).get(0);
				await().during(Duration.ofSeconds(2))
					.until(() -> find(application, job.id()).state() == JobState.AVAILABLE);
				application.bean(Queues.class).resume("desk");
				awaitState(application, job, JobState.COMPLETED);
			}
		}
	}

	@Test
	void jobsWhoseFetchIsNotAnsweredAreGivenBackAndTheAttemptDoesNotCount() {
		try (Application application = worker().with(LostAnswers.class)
			.property("test.database.url", database().url())
			.property("test.database.username", database().username())
			.property("test.database.password", database().password())
			.start()) {
			enqueue(application, 1);
			await().until(() -> count(JobState.COMPLETED) == 1);
			LostAnswers.toLose.set(3);
			Instant begin = Instant.now();
			List<Job> jobs = enqueue(application, 30);
			await().atMost(PATIENCE).until(() -> count(JobState.COMPLETED) == 31);
			assertThat(LostAnswers.toLose).as("answers that were not lost").hasValue(0);
			assertThat(Desk.runs).hasSize(31).containsAll(jobs.stream().map(Job::id).toList());
			assertThat(attempts()).containsOnlyKeys(1);
			assertThat(Duration.between(begin, Instant.now())).as("no lease was waited for")
				.isLessThan(Duration.ofSeconds(25));
		}
		finally {
			LostAnswers.toLose.set(0);
		}
	}

	@Test
	void connectionsThatAreResetCostNeitherAJobNorAnAttempt() {
		try (FaultProxy proxy = FaultProxy.to(PostgresServer.shared());
				Application producer = producer().start();
				Application worker = through(proxy).start()) {
			List<Job> jobs = new ArrayList<>(enqueue(producer, 50));
			for (int i = 0; i < 6; i++) {
				int before = Desk.runs.size();
				jobs.addAll(enqueue(producer, 50));
				await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> Desk.runs.size() > before);
				proxy.reset();
			}
			assertEachRanOnceAndCountsOnce(jobs);
			assertThat(worker.events()).isNotEmpty();
		}
	}

	@Test
	void databaseThatHangsCostsNeitherAJobNorAnAttempt() {
		try (FaultProxy proxy = FaultProxy.to(PostgresServer.shared());
				Application producer = producer().start();
				Application worker = through(proxy)
					.property("spring.datasource.hikari.data-source-properties.socketTimeout", 2)
					.start()) {
			List<Job> jobs = new ArrayList<>(enqueue(producer, 50));
			for (Direction direction : Direction.values()) {
				int before = Desk.runs.size();
				jobs.addAll(enqueue(producer, 50));
				await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(() -> Desk.runs.size() > before);
				proxy.hang(direction);
				jobs.addAll(enqueue(producer, 10));
				await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
				proxy.resume();
			}
			assertEachRanOnceAndCountsOnce(jobs);
			assertThat(worker.events()).isNotEmpty();
		}
	}

	private Application.Starter through(FaultProxy proxy) {
		String direct = PostgresServer.shared().host() + ":" + PostgresServer.shared().port();
		assertThat(database().url()).contains(direct);
		return worker()
			.property("spring.datasource.url", database().url().replace(direct, proxy.host() + ":" + proxy.port()))
			.property("spring.datasource.hikari.connection-timeout", 2000)
			.property("spring.datasource.hikari.validation-timeout", 500);
	}

	@Test
	void killedProcessCostsEachJobThatItHeldOneAttemptAtMost() {
		Path ledger = this.folder.resolve("runs");
		try (Application producer = producer().property("ojs.store.lease", "3s")
			.property("ojs.store.reap-interval", "500ms")
			.start(); ChildApplication worker = child(ledger).crashAt("handler", CONCURRENCY * 3).start()) {
			List<Job> jobs = producer.ojs()
				.enqueueAll(IntStream.range(0, 60).mapToObj((i) -> JobRequest.of("desk.write").queue("desk")).toList());
			worker.killAt("handler");
			long held = count(JobState.ACTIVE);
			assertThat(held).as("jobs that it held, most of them in advance").isGreaterThan(CONCURRENCY);
			worker.restart();
			await().atMost(PATIENCE.multipliedBy(2)).until(() -> count(JobState.COMPLETED) == jobs.size());
			Map<String, Integer> runs = new TreeMap<>();
			StoreChaos.lines(ledger).forEach((line) -> runs.merge(line, 1, Integer::sum));
			assertThat(runs.values()).as("runs of each attempt").containsOnly(1);
			assertThat(runs.keySet()).as("jobs that ran")
				.extracting((line) -> line.split(" ")[0])
				.containsAll(jobs.stream().map(Job::id).toList());
			assertThat(attempts().keySet()).allMatch((attempt) -> attempt <= 2);
			assertThat(attempts().getOrDefault(2, 0)).as("jobs of the killed process").isBetween(1, (int) held);
			// Of each thread one that ran, and one that was not recorded yet.
			assertThat(runs.size()).as("runs, with those that were cut off").isBetween(61, 60 + 2 * CONCURRENCY);
		}
	}

	@Test
	void jobOfAnotherProducerRunsOnceIfItsKeeperIsKilledBeforeTheAck() {
		Path ledger = this.folder.resolve("runs");
		try (ChildApplication worker = child(ledger).with(CrashPoints.class)
			.crashAt("after FetchedQueueStore.keep")
			.start()) {
			worker.awaitStarted();
			String id = new JobIdGenerator(Clock.systemUTC()).next();
			await().until(() -> client().exists(JOBS));
			client().publishJob("desk", id, "desk.write", "[]");
			worker.killAt("after FetchedQueueStore.keep");
			// It was not acked.
			await().until(() -> client().count(JOBS) == 1);
			assertThat(jdbc().queryForList("select cast(id as varchar) from ojs_job", String.class))
				.containsExactly(id);
			worker.restart();
			await().atMost(PATIENCE).until(() -> client().count(JOBS) == 0 && count(JobState.COMPLETED) == 1);
			String last = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("desk", last, "desk.write", "[]");
			await().atMost(PATIENCE).until(() -> count(JobState.COMPLETED) == 2);
			assertThat(StoreChaos.lines(ledger)).containsExactly(id + " 1", last + " 1");
		}
	}

	private ChildApplication.Starter child(Path ledger) {
		return ChildApplication.on(uri())
			.with(Writer.class)
			.property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("ojs.store.lease", "3s")
			.property("ojs.store.reap-interval", "500ms")
			.property("spring.datasource.url", database().url())
			.property("spring.datasource.username", database().username())
			.property("spring.datasource.password", database().password())
			.property("ojs.queues.desk.delivery", "store")
			.property("ojs.queues.desk.concurrency", CONCURRENCY)
			.property(StoreCrashes.LEDGER, ledger);
	}

	/** Where a process can be killed that takes messages into the store. */
	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundKeeping() {
			return CrashPoint.around(FetchedQueueStore.class);
		}

	}

	/** Writes down each run before anything else. */
	static class Writer {

		private final Path ledger;

		Writer(@Value("${" + StoreCrashes.LEDGER + "}") Path ledger) {
			this.ledger = ledger;
		}

		@OjsJobHandler(value = "desk.write", queue = "desk")
		void write(JobContext context) {
			StoreCrashes.note(this.ledger, context.job().id() + " " + context.attempt());
			CrashPoint.reach("handler");
		}

	}

	/**
	 * A database whose answers to commits of fetches are lost, if these have taken jobs.
	 */
	static class LostAnswers {

		static final AtomicInteger toLose = new AtomicInteger();

		@Bean
		DataSource losingDataSource(@Value("${test.database.url}") String url,
				@Value("${test.database.username}") String username,
				@Value("${test.database.password}") String password) {
			DataSource pool = new StoreBeans().gatedDataSource(url, username, password);
			return new DelegatingDataSource(pool) {

				@Override
				public Connection getConnection() throws SQLException {
					return losing(super.getConnection());
				}

			};
		}

		private static Connection losing(Connection connection) {
			return (Connection) Proxy.newProxyInstance(LostAnswers.class.getClassLoader(),
					new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
						boolean lost = method.getName().equals("commit") && isFetch(connection);
						try {
							Object result = method.invoke(connection, arguments);
							if (lost) {
								throw new SQLException("An I/O error occurred while sending to the backend.", "08006");
							}
							return result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

		private static boolean isFetch(Connection connection) throws SQLException {
			if (toLose.get() == 0 || !Thread.currentThread().getName().startsWith("ojs-fetch-")) {
				return false;
			}
			try (Statement statement = connection.createStatement()) {
				return statement
					.executeQuery("select 1 from ojs_job where state = 'active' and xmin = "
							+ "cast(cast(pg_current_xact_id_if_assigned() as text) as xid) limit 1")
					.next() && toLose.decrementAndGet() >= 0;
			}
		}

	}

	/** Works a queue whose jobs the broker delivers. */
	static class Till {

		@OjsJobHandler(value = "till.ring", queue = "till")
		void ring() {
			// Not while its broker is away.
		}

	}

}
