package io.ojs.internal.thread;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ThreadsTests {

	private static final Duration SHORT = Duration.ofMillis(1);

	private static final Duration LONG = Duration.ofHours(1);

	@Test
	void interruptEndsAPauseAndStays() {
		assertThat(Threads.pause(SHORT)).isTrue();
		Thread.currentThread().interrupt();
		assertThat(Threads.pause(LONG)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void waitEndsWhenTheConditionHolds() {
		AtomicInteger checks = new AtomicInteger();
		Threads.await(() -> checks.incrementAndGet() == 3, LONG, SHORT);
		assertThat(checks).hasValue(3);
	}

	@Test
	void waitEndsAfterItsTimeAndByAnInterrupt() {
		Threads.await(() -> false, Duration.ofMillis(5), SHORT);
		Thread.currentThread().interrupt();
		Threads.await(() -> false, LONG, LONG);
		assertThat(Thread.interrupted()).isTrue();
	}

}
