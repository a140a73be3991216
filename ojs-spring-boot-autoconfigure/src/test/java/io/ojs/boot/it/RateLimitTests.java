package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.client.UnsupportedJobException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRateLimit;
import io.ojs.queue.Queues;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Limits that hold across applications, and what becomes of jobs that have to wait.
 */
class RateLimitTests extends BrokerTest {

	private static final AtomicInteger running = new AtomicInteger();

	private static final AtomicInteger most = new AtomicInteger();

	private static final List<Instant> starts = new CopyOnWriteArrayList<>();

	@BeforeEach
	void forget() {
		running.set(0);
		most.set(0);
		starts.clear();
	}

	private Application.Starter instance(PostgresDatabase database) {
		return application(Printer.class).database(database.url(), database.username(), database.password())
			.property("ojs.queues.paper.concurrency", "5");
	}

	private static List<JobRequest> sheets(int count, RateLimit limit) {
		return IntStream.range(0, count)
			.mapToObj((i) -> JobRequest.of("sheet.print", i).queue("paper").rateLimit(limit))
			.toList();
	}

	@Test
	void noMoreRunAtOnceInAllApplicationsTogether() {
		try (PostgresDatabase database = StoreDatabases.create();
				Application one = instance(database).start();
				Application two = instance(database).start()) {
			one.ojs().enqueueAll(sheets(60, RateLimit.of("printer").concurrency(3)));
			two.ojs().enqueueAll(sheets(60, RateLimit.of("printer").concurrency(3)));
			await().until(() -> starts.size() == 120 && running.get() == 0);
			assertThat(most.get()).isEqualTo(3);
			await().until(() -> client().count("ojs.queue.paper") == 0);
		}
	}

	@Test
	void noMoreStartInAPeriodInAllApplicationsTogether() {
		try (PostgresDatabase database = StoreDatabases.create();
				Application one = instance(database).start();
				Application two = instance(database).start()) {
			one.ojs().enqueueAll(sheets(20, RateLimit.of("api").rate(10, Duration.ofSeconds(2))));
			two.ojs().enqueueAll(sheets(20, RateLimit.of("api").rate(10, Duration.ofSeconds(2))));
			await().until(() -> starts.size() == 40);
			List<Instant> sorted = starts.stream().sorted().toList();
			// Three periods lie between the first and the last; a start is noted a
			// little after it was counted.
			assertThat(Duration.between(sorted.get(0), sorted.get(39))).isGreaterThan(Duration.ofMillis(5500));
			assertThat(Duration.between(sorted.get(0), sorted.get(20))).isGreaterThan(Duration.ofMillis(3500));
		}
	}

	@Test
	@Tag("QC-6.2-2")
	@Tag("QC-8.3-1")
	void queueLimitsWhatStartsInIt() {
		try (PostgresDatabase database = StoreDatabases.create();
				Application application = instance(database).start()) {
			application.bean(Queues.class)
				.configure("paper",
						QueueConfig.builder().rateLimit(new QueueRateLimit(2, Duration.ofHours(1))).build());
			List<Job> jobs = application.ojs()
				.enqueueAll(
						IntStream.range(0, 4).mapToObj((i) -> JobRequest.of("sheet.print", i).queue("paper")).toList());
			await().until(() -> starts.size() == 2 && client().count("ojs.queue.paper") == 0);
			await().during(Duration.ofSeconds(1)).until(() -> starts.size() == 2);
			assertThat(jobs).filteredOn((job) -> application.ojs().find(job.id()).orElseThrow().attempt() == 0)
				.hasSize(2);
		}
	}

	@Test
	void jobWithALimitIsRefusedWithoutAStore() {
		try (Application application = application(Printer.class).start()) {
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(() -> application.ojs().enqueueAll(sheets(1, RateLimit.of("printer").concurrency(3))))
				.withMessageContainingAll("'rate_limit'", "DataSource", "spring-boot-starter-jdbc");
			assertThat(starts).isEmpty();
		}
	}

	static class Printer {

		@OjsJobHandler(value = "sheet.print", queue = "paper")
		void print(int number) {
			starts.add(Instant.now());
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			// As long as it takes to print.
			LockSupport.parkNanos(20_000_000);
			running.decrementAndGet();
		}

	}

}
