package io.ojs.amqp.listen;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class DeadlinesTests {

	private static final int JOBS = 200;

	private final Deadlines deadlines = new Deadlines();

	@AfterEach
	void close() {
		this.deadlines.close();
	}

	@Test
	void doesWhatIsDueBeforeAllElse() throws Exception {
		CompletableFuture<Thread> done = new CompletableFuture<>();
		this.deadlines.schedule(() -> done.completeExceptionally(new IllegalStateException("too soon")),
				Duration.ofMinutes(10));
		this.deadlines.schedule(() -> done.complete(Thread.currentThread()), Duration.ofMillis(20));
		assertThat(done.get(15, TimeUnit.SECONDS).getName()).isEqualTo("ojs-deadlines");
	}

	@Test
	void jobsThatEndInTimeDoNotWakeItsThread() throws Exception {
		CompletableFuture<Thread> started = new CompletableFuture<>();
		this.deadlines.schedule(() -> started.complete(Thread.currentThread()), Duration.ZERO);
		Thread thread = started.get(30, TimeUnit.SECONDS);
		awaitAsleep(thread);
		long before = sleeps(thread);
		long begin = System.nanoTime();
		for (int i = 0; i < JOBS; i++) {
			this.deadlines.schedule(() -> {
			}, Duration.ofMinutes(10)).cancel(false);
			awaitAsleep(thread);
		}
		long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
		assertThat(sleeps(thread) - before).as("once a second").isLessThan(JOBS / 10 + 2 * seconds);
	}

	/** Longer than it takes to begin what it was woken for. */
	private static void awaitAsleep(Thread thread) {
		await().pollDelay(Duration.ofMillis(1))
			.pollInterval(Duration.ofMillis(1))
			.until(() -> thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
	}

	private static long sleeps(Thread thread) {
		return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
	}

}
