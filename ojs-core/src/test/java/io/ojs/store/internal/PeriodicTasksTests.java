package io.ojs.store.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class PeriodicTasksTests {

	private static final Duration OFTEN = Duration.ofMillis(20);

	private final AtomicInteger done = new AtomicInteger();

	@Test
	void tasksAreDoneAgainAndAgainUntilItIsClosed() {
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(this.done::incrementAndGet)));
		tasks.start();
		await().until(() -> this.done.get() >= 3);
		tasks.close();
		int after = this.done.get();
		await().during(Duration.ofMillis(200)).until(() -> this.done.get() == after);
	}

	@Test
	void taskThatThrowsAnErrorIsDoneAgain() {
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(() -> {
			if (this.done.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("something is missing");
			}
		})));
		tasks.start();
		await().until(() -> this.done.get() >= 3);
		tasks.close();
	}

	@Test
	void taskThatFailsIsGivenAPause() {
		AtomicInteger others = new AtomicInteger();
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(() -> {
			this.done.incrementAndGet();
			throw new StoreUnavailableException("The database is away.", null);
		}), task(others::incrementAndGet)));
		tasks.start();
		await().until(() -> this.done.get() > 0);
		await().until(() -> others.get() >= 30);
		assertThat(this.done.get()).isLessThan(6);
		tasks.close();
	}

	@Test
	void taskThatHangsHoldsUpNoOther() throws Exception {
		CountDownLatch broker = new CountDownLatch(1);
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(() -> {
			try {
				broker.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}), task(this.done::incrementAndGet)));
		tasks.start();
		await().until(() -> this.done.get() >= 3);
		broker.countDown();
		tasks.close();
	}

	@Test
	void closingWaitsForWhatIsBeingDoneAndDoesNotInterruptIt() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch closing = new CountDownLatch(1);
		AtomicBoolean interrupted = new AtomicBoolean();
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(() -> {
			begun.countDown();
			try {
				closing.await(20, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
			this.done.incrementAndGet();
		})));
		tasks.start();
		begun.await();
		Thread closer = new Thread(tasks::close);
		closer.start();
		await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
		assertThat(this.done).hasValue(0);
		closing.countDown();
		closer.join();
		assertThat(this.done).hasValue(1);
		assertThat(interrupted).isFalse();
	}

	@Test
	void itMayBeClosedBeforeItStartsAndStartedAgainAfterwards() {
		PeriodicTasks tasks = new PeriodicTasks(List.of(task(this.done::incrementAndGet)));
		tasks.close();
		for (int round = 0; round < 2; round++) {
			int before = this.done.get();
			tasks.start();
			await().until(() -> this.done.get() > before);
			tasks.close();
		}
	}

	private static PeriodicTask task(Runnable action) {
		return new PeriodicTask("It cannot be done", OFTEN, action);
	}

}
