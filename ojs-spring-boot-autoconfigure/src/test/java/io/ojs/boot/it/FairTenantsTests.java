package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One tenant enqueues far more than can be worked, and another one a job now and then, in
 * the same queue: the second hardly notices. {@code -Dojs.test.fair.jobs} says how many
 * the first one has.
 */
class FairTenantsTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(FairTenantsTests.class);

	private static final int JOBS = Integer.getInteger("ojs.test.fair.jobs", 2_500);

	private static final int CHUNK = 1_000;

	/** How many jobs the other one has, one after the other. */
	private static final int PROBES = Math.max(20, JOBS / 500);

	/** So many of the other tenant's wait at least. */
	private static final int MANY = 1_500;

	/**
	 * So many of them may be started before a job that comes after them: what the broker
	 * has, and the relay's next batch.
	 */
	private static final int AHEAD = 600;

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Desk.started.clear();
		Desk.runs.set(0);
		Desk.mayRun.drainPermits();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter application(boolean works) {
		return application(Desk.class).database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.tenancy.enabled", true)
			.property("ojs.worker.enabled", works);
	}

	@Test
	void jobsOfATenantDoNotWaitBehindAllThoseOfAnother() {
		try (Application worker = application(true).start(); Application producer = application(false).start()) {
			List<Integer> ahead = new ArrayList<>();
			Instant begin = Instant.now();
			for (int i = 0; i < JOBS; i += CHUNK) {
				enqueue(producer, "noisy", Math.min(CHUNK, JOBS - i), "desk.write");
			}
			logger.info("{} jobs enqueued in {}", JOBS, since(begin));
			while (ahead.size() < PROBES && (ahead.isEmpty() || JOBS - Desk.runs.get() > MANY)) {
				ahead.add(startedBefore(producer, AHEAD));
				assertThat(JOBS - Desk.runs.get()).as("a backlog, or it shows nothing").isGreaterThan(MANY / 2);
			}
			Desk.open();
			logger.info("Before each of {} single jobs beside {} of another tenant so many started: {}", ahead.size(),
					JOBS, ahead.stream().sorted().toList());
			assertThat(Collections.max(ahead)).isLessThan(AHEAD);
			await().atMost(Duration.ofSeconds(60 + JOBS / 100)).until(() -> Desk.started.size() == JOBS + ahead.size());
			logger.info("{} jobs a second", (JOBS + ahead.size()) * 1000L / since(begin).toMillis());
			awaitAllCompleted(worker);
			assertThat(Desk.runs).as("each ran once").hasValue(JOBS + ahead.size());
			await().until(() -> client().count("ojs.queue.desk") == 0);
		}
	}

	/** Retries come back beside what waits. */
	@Test
	void failuresOfATenantDoNotHoldUpOthers() {
		int failing = Math.min(JOBS, 1_000);
		try (Application worker = application(true).property("ojs.queues.desk.retry.initial-interval", "500ms")
			.start()) {
			enqueue(worker, "noisy", failing, "desk.second");
			List<Integer> ahead = new ArrayList<>();
			while (Desk.runs.get() < 2 * failing - MANY / 2 && ahead.size() < 20) {
				ahead.add(startedBefore(worker, AHEAD));
			}
			Desk.open();
			logger.info("Before each of {} single jobs beside {} that fail so many started: {}", ahead.size(), failing,
					ahead.stream().sorted().toList());
			assertThat(ahead).isNotEmpty().allSatisfy((started) -> assertThat(started).isLessThan(AHEAD));
			awaitAllCompleted(worker);
		}
	}

	/** With jobs that take long there are few at the broker. */
	@Test
	void slowJobsLeaveTheQueueToOthersAsWell() {
		try (Application worker = application(true).property("ojs.queues.desk.prefetch", 1).start()) {
			enqueue(worker, "noisy", 200, "desk.slow");
			Desk.mayRun.release(15);
			await().until(() -> Desk.runs.get() == 15);
			assertThat(startedBefore(worker, 100)).as("of 200").isLessThan(100);
			Desk.open();
		}
	}

	/**
	 * Enqueues a job of a second tenant, and tells how many others started before it. No
	 * job runs while it is enqueued, and then no more than so many until it has started.
	 */
	private static int startedBefore(Application application, int atMost) {
		Desk.mayRun.drainPermits();
		Job job = enqueue(application, "quiet", 1, "desk.write").get(0);
		int before = Desk.runs.get();
		Desk.mayRun.release(atMost);
		await().atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> Desk.started.containsKey(job.id()));
		return Desk.started.get(job.id()) - before;
	}

	private static void awaitAllCompleted(Application application) {
		JdbcTemplate jdbc = application.bean(JdbcTemplate.class);
		await().atMost(Duration.ofSeconds(180))
			.until(() -> jdbc.queryForList("select 1 from ojs_job where state <> 'completed' limit 1").isEmpty());
	}

	private static List<Job> enqueue(Application application, String tenant, int count, String type) {
		return application.bean(Tenants.class)
			.supply(tenant, () -> application.ojs()
				.enqueueAll(IntStream.range(0, count).mapToObj((i) -> JobRequest.of(type).queue("desk")).toList()));
	}

	private static Duration since(Instant begin) {
		return Duration.between(begin, Instant.now());
	}

	static class Desk {

		/** How many runs had begun before the first one of each job. */
		static final Map<String, Integer> started = new ConcurrentHashMap<>();

		static final AtomicInteger runs = new AtomicInteger();

		/** How many jobs may start; each takes one. */
		static final Semaphore mayRun = new Semaphore(0);

		static void open() {
			mayRun.release(Integer.MAX_VALUE / 2);
		}

		@OjsJobHandler(value = "desk.write", queue = "desk", concurrency = 5)
		void write(JobContext context) {
			run(context, 5);
		}

		@OjsJobHandler(value = "desk.slow", queue = "desk")
		void writeSlowly(JobContext context) {
			run(context, 300);
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		void second(JobContext context) {
			run(context, 5);
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck at attempt 1");
			}
		}

		private static void run(JobContext context, int millis) {
			mayRun.acquireUninterruptibly();
			started.putIfAbsent(context.job().id(), runs.getAndIncrement());
			// As long as its work takes.
			LockSupport.parkNanos(millis * 1_000_000L);
		}

	}

}
