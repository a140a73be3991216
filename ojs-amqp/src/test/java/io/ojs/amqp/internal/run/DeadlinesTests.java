package io.ojs.amqp.internal.run;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
		List<Duration> ticks = new CopyOnWriteArrayList<>();
		try (Deadlines slow = new Deadlines(new SlowTicks(ticks))) {
			CompletableFuture<Thread> started = new CompletableFuture<>();
			slow.schedule(() -> started.complete(Thread.currentThread()), Duration.ZERO);
			Thread thread = started.get(30, TimeUnit.SECONDS);
			awaitAsleep(thread);
			long before = sleeps(thread);
			for (int i = 0; i < JOBS; i++) {
				slow.schedule(() -> {
				}, Duration.ofDays(1)).cancel(false);
				awaitAsleep(thread);
			}
			assertThat(ticks).containsExactly(Duration.ofSeconds(1));
			assertThat(sleeps(thread) - before).as("times that it was woken").isZero();
		}
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

	/**
	 * Notes how often something is to recur, and does it once an hour: the test is over
	 * by then.
	 */
	private static final class SlowTicks extends ScheduledThreadPoolExecutor {

		private final List<Duration> ticks;

		SlowTicks(List<Duration> ticks) {
			super(1, Deadlines::newThread);
			this.ticks = ticks;
		}

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay,
				TimeUnit unit) {
			this.ticks.add(Duration.of(delay, unit.toChronoUnit()));
			return super.scheduleWithFixedDelay(command, 1, 1, TimeUnit.HOURS);
		}

	}

}
