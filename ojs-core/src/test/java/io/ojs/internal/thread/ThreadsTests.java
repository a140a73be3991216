package io.ojs.internal.thread;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
	void pauseTakesItsTime() {
		Duration pause = Duration.ofMillis(50);
		long start = System.nanoTime();
		assertThat(Threads.pause(pause)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(pause);
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

	@Test
	void daemonsHaveTheirNameAndDoNotKeepTheJvmRunning() {
		Thread thread = Threads.daemon(() -> {
		}, "ojs-some");
		assertThat(thread.isDaemon()).isTrue();
		assertThat(thread.getName()).isEqualTo("ojs-some");
	}

	@Test
	void endOfAThreadIsAwaitedUnlessInterrupted() throws InterruptedException {
		Threads.awaitEnd(null);
		CountDownLatch end = new CountDownLatch(1);
		Thread ending = Threads.daemon(() -> Threads.await(() -> end.getCount() == 0, LONG, SHORT), "ojs-ending");
		ending.start();
		Thread.currentThread().interrupt();
		Threads.awaitEnd(ending);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(ending.isAlive()).isTrue();
		end.countDown();
		Threads.awaitEnd(ending);
		assertThat(ending.isAlive()).isFalse();
	}

	@Test
	void endOfAThreadThatStillRunsIsAwaited() {
		Thread ending = Threads.daemon(() -> Threads.pause(Duration.ofMillis(200)), "ojs-ending");
		ending.start();
		Threads.awaitEnd(ending);
		assertThat(ending.isAlive()).isFalse();
	}

}
