package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.amqp.internal.deadletter.DeadLetterCollector;
import io.ojs.deadletter.DeadLetters;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Workers whose clocks are wrong, one in each direction, beside an application whose
 * clock is right.
 */
class SteppedClocksTests extends StoreCrashFixture {

	/** More than it takes, and less than clocks are wrong by. */
	private static final Duration TEST = Duration.ofMinutes(5);

	/** Whether a column is about the present of the database. */
	private static final String NOW = "abs(extract(epoch from %s - now())) < " + TEST.toSeconds();

	@Test
	void jobsBeginFailAndEndByTheTimeOfTheDatabase() {
		try (Application observer = observer().start();
				Application fast = worker().with(Fast.class).start();
				Application slow = worker().with(Slow.class).start()) {
			Instant before = Instant.now();
			List<Job> jobs = Stream.generate(() -> enqueue(observer, "desk.second")).limit(6).toList();
			jobs.forEach((job) -> awaitCompleted(observer, job.id()));
			assertThat(jobs).extracting((job) -> find(observer, job.id()).job()).allSatisfy((job) -> {
				assertThat(job.attempt()).isEqualTo(2);
				assertThat(job.startedAt().toInstant()).isBetween(before, before.plus(TEST));
				assertThat(job.completedAt().toInstant()).isBetween(before, before.plus(TEST));
			});
			assertThat(fast.bean(Clock.class).instant()).isAfter(slow.bean(Clock.class).instant().plus(TEST));
			assertThat(count(observer, "select count(*) from ojs_handler where " + NOW.formatted("seen_at")))
				.as("handlers")
				.isEqualTo(2);
		}
		assertThat(runs()).hasSize(12);
		assertNothingIsLeftAtTheBroker();
	}

	@ParameterizedTest
	@ValueSource(classes = { Fast.class, Slow.class })
	void jobsAreFetchedAndHeldByTheTimeOfTheDatabase(Class<?> clock) {
		try (Application application = observer().with(clock).http().start()) {
			Job job = enqueue(application, "desk.write");
			String held = "select count(*) from ojs_job where %s and %s".formatted(NOW.formatted("started_at"),
					NOW.formatted("lease_until"));
			assertThat(application
				.post("/ojs/v1/workers/fetch",
						"{\"queues\":[\"desk\"],\"worker_id\":\"w-1\",\"visibility_timeout_ms\":30000}")
				.body()).contains(job.id());
			assertThat(count(application, held)).isOne();
			assertThat(application
				.post("/ojs/v1/workers/heartbeat",
						"{\"worker_id\":\"w-1\",\"active_jobs\":[\"%s\"]}".formatted(job.id()))
				.statusCode()).isEqualTo(200);
			assertThat(count(application, held)).isOne();
			assertThat(count(application, "select count(*) from ojs_worker where " + NOW.formatted("last_seen")))
				.isOne();
		}
	}

	@Test
	void jobsExpireByTheTimeOfTheDatabase() {
		try (Application observer = observer().start(); Application fast = worker().with(Fast.class).start()) {
			Job job = observer.ojs()
				.enqueue(JobRequest.of("desk.write").queue("desk").expiresAt(Instant.now().plus(TEST)));
			awaitCompleted(observer, job.id());
			assertThat(fast.bean(DeadLetterCollector.Destination.class).clock().instant()).isCloseTo(Instant.now(),
					within(1, ChronoUnit.MINUTES));
		}
	}

	@Test
	void deadLettersAreReplayedByTheTimeOfTheDatabase() {
		try (Application application = worker().with(Fast.class).start()) {
			Job job = application.ojs()
				.enqueue(JobRequest.of("desk.second").queue("desk").retry((retry) -> retry.maxAttempts(1)));
			await().until(() -> state(application, job.id()) == JobState.DISCARDED);
			application.bean(DeadLetters.class).replay(job.id());
			await().until(() -> runs().size() == 2);
		}
	}

	/** Ten minutes ahead. */
	static class Fast {

		@Bean
		Clock clock() {
			return Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10));
		}

	}

	/** Ten minutes behind. */
	static class Slow {

		@Bean
		Clock clock() {
			return Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-10));
		}

	}

}
