package io.ojs.boot.it;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications whose queue {@code desk} has {@code delivery=store}, on a real broker and
 * PostgreSQL.
 */
abstract class StoreDeliveryFixture extends BrokerTest {

	static final String JOBS = "ojs.queue.desk";

	static final int CONCURRENCY = 2;

	private PostgresDatabase database;

	private SingleConnectionDataSource connection;

	private JdbcTemplate jdbc;

	@BeforeEach
	void createDatabase() {
		Desk.reset();
		this.database = StoreDatabases.create();
		this.connection = new SingleConnectionDataSource(this.database.url(), this.database.username(),
				this.database.password(), true);
		this.jdbc = new JdbcTemplate(this.connection);
	}

	@AfterEach
	void checkAndDropDatabase() {
		Desk.open.countDown();
		try {
			assertThat(new JobRowRules(this.jdbc).broken()).as("rows of %s", this.database.url()).isEmpty();
		}
		finally {
			this.connection.destroy();
			this.database.close();
		}
	}

	final PostgresDatabase database() {
		return this.database;
	}

	final JdbcTemplate jdbc() {
		return this.jdbc;
	}

	final Application.Starter instance(String uri) {
		return Application.on(uri)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.queues.desk.delivery", "store")
			.property("ojs.queues.desk.concurrency", CONCURRENCY)
			.property("ojs.queues.desk.retry.max-attempts", 2)
			.property("ojs.reconnect.max-interval", "2s")
			.property("ojs.worker.shutdown-grace", "10s");
	}

	final Application.Starter worker() {
		return instance(uri()).with(Desk.class);
	}

	final Application.Starter producer() {
		return instance(uri()).property("ojs.worker.enabled", false);
	}

	/**
	 * Starts an application that has run quick jobs, so that it fetches in advance: with
	 * two threads and two jobs for each, two jobs more than it runs.
	 */
	final Application quick(Application.Starter starter) {
		Application application = starter.property("ojs.queues.desk.prefetch", 2).start();
		awaitCompleted(enqueue(application, 4));
		this.jdbc.update("delete from ojs_job");
		Desk.reset();
		return application;
	}

	/** Enqueues jobs that take no time. */
	static List<Job> enqueue(Application application, int count) {
		return application.ojs()
			.enqueueAll(
					IntStream.range(0, count).mapToObj((i) -> JobRequest.of("desk.add", i, 1).queue("desk")).toList());
	}

	/** Until an application without workers has heard of those of another one. */
	static void awaitKnown(Application producer) {
		await().until(() -> producer.bean(FetchedQueues.class).delivers("desk"));
	}

	static Job find(Application application, String id) {
		return application.ojs().find(id).orElseThrow();
	}

	static void awaitState(Application application, Job job, JobState state) {
		await().untilAsserted(() -> assertThat(find(application, job.id()).state()).isEqualTo(state));
	}

	final void awaitCompleted(Collection<Job> jobs) {
		await().untilAsserted(() -> assertThat(this.jdbc
			.queryForList("select cast(id as varchar) from ojs_job where state = 'completed'", String.class))
			.containsAll(jobs.stream().map(Job::id).toList()));
	}

	/** How many jobs are in a state. */
	final long count(JobState state) {
		Long count = this.jdbc.queryForObject("select count(*) from ojs_job where state = ?", Long.class,
				state.wireName());
		return (count != null) ? count : 0;
	}

	/**
	 * How often jobs were begun, by the store: each number of attempts and how many have
	 * it.
	 */
	final Map<Integer, Integer> attempts() {
		Map<Integer, Integer> attempts = new ConcurrentHashMap<>();
		this.jdbc.query("select attempt from ojs_job", (row) -> {
			attempts.merge(row.getInt(1), 1, Integer::sum);
		});
		return attempts;
	}

	/**
	 * What it has seen is that of all applications of a test.
	 */
	static class Desk {

		/** The ids of jobs, as often as their handlers were called. */
		static final Queue<String> runs = new ConcurrentLinkedQueue<>();

		static final Queue<String> notes = new ConcurrentLinkedQueue<>();

		/** When handlers were called first and, by the same keys, again. */
		static final Map<String, List<Instant>> times = new ConcurrentHashMap<>();

		static final AtomicInteger limited = new AtomicInteger();

		static final AtomicInteger mostLimited = new AtomicInteger();

		static final AtomicInteger interrupted = new AtomicInteger();

		static volatile CountDownLatch open = new CountDownLatch(1);

		static volatile boolean mended;

		static void reset() {
			runs.clear();
			notes.clear();
			times.clear();
			limited.set(0);
			mostLimited.set(0);
			interrupted.set(0);
			open = new CountDownLatch(1);
			mended = false;
		}

		private static void run(JobContext context) {
			runs.add(context.job().id());
			times.computeIfAbsent(context.job().id(), (id) -> new ArrayList<>()).add(Instant.now());
		}

		@OjsJobHandler(value = "desk.add", queue = "desk")
		int add(int one, int other, JobContext context) {
			run(context);
			return one + other;
		}

		@OjsJobHandler(value = "desk.note", queue = "desk")
		void note(String text, JobContext context) {
			run(context);
			notes.add(text);
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		void second(JobContext context) {
			run(context);
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck");
			}
		}

		@OjsJobHandler(value = "desk.broken", queue = "desk")
		void broken(JobContext context) {
			run(context);
			if (!mended) {
				throw new IllegalStateException("broken");
			}
		}

		@OjsJobHandler(value = "desk.limited", queue = "desk")
		void limited(JobContext context) throws InterruptedException {
			run(context);
			mostLimited.accumulateAndGet(limited.incrementAndGet(), Math::max);
			// So that two meet each other.
			new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
			limited.decrementAndGet();
		}

		@OjsJobHandler(value = "desk.wait", queue = "desk")
		void await(JobContext context) throws InterruptedException {
			run(context);
			try {
				open.await();
			}
			catch (InterruptedException ex) {
				interrupted.incrementAndGet();
				throw ex;
			}
		}

		@OjsJobHandler(value = "desk.parents", queue = "desk")
		List<Object> parents(JobContext context) {
			run(context);
			return context.parentResults();
		}

	}

}
