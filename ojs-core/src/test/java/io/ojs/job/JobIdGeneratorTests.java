package io.ojs.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.TestClock;
import io.ojs.job.internal.JobRules;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Job ids are UUIDs of version 7, unique, and in the order of the clock.
 */
class JobIdGeneratorTests {

	private static final int MANY = 100_000;

	@Test
	void areUuidsOfVersionSevenInLowerCase() {
		JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());
		for (int i = 0; i < 1000; i++) {
			String id = ids.next();
			assertThat(JobRules.id(id)).isEqualTo(id);
			assertThat(UUID.fromString(id).version()).isEqualTo(7);
		}
	}

	@Test
	void areUniqueThoughTheClockStands() {
		JobIdGenerator ids = new JobIdGenerator(Clock.fixed(Instant.parse("2026-03-15T09:30:00Z"), ZoneOffset.UTC));
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < MANY; i++) {
			seen.add(ids.next());
		}
		assertThat(seen).hasSize(MANY);
	}

	@Test
	void areUniqueForManyThreads() throws InterruptedException {
		JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());
		Set<String> seen = ConcurrentHashMap.newKeySet();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Thread thread = new Thread(() -> {
				for (int j = 0; j < MANY / 4; j++) {
					seen.add(ids.next());
				}
			});
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(seen).hasSize(MANY);
	}

	@Test
	void areInTheOrderOfTheClock() {
		TestClock clock = new TestClock();
		JobIdGenerator ids = new JobIdGenerator(clock);
		List<String> made = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			made.add(ids.next());
			clock.advance(Duration.ofMillis(1));
		}
		assertThat(made).isSorted();
	}

	@Test
	void areInTheOrderInWhichTheyWereMadeThoughTheClockStands() {
		JobIdGenerator ids = new JobIdGenerator(Clock.fixed(Instant.parse("2026-03-15T09:30:00Z"), ZoneOffset.UTC));
		List<String> made = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			made.add(ids.next());
		}
		assertThat(made).isSorted();
	}

	@Test
	void carryTheTimeOfTheClock() {
		Instant now = Instant.parse("2026-03-15T09:30:00.123Z");
		String id = new JobIdGenerator(Clock.fixed(now, ZoneOffset.UTC)).next();
		assertThat(Long.parseLong(id.replace("-", "").substring(0, 12), 16)).isEqualTo(now.toEpochMilli());
	}

}
