package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.amqp.deadletter.DeadLetterCollector;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Workers whose clocks are wrong, one in each direction, beside an application whose
 * clock is right.
 */
class SteppedClocksTests extends StoreCrashFixture {

	/** More than it takes, and less than clocks are wrong by. */
	private static final Duration TEST = Duration.ofMinutes(5);

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
		}
		assertThat(runs()).hasSize(12);
		assertNothingIsLeftAtTheBroker();
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
