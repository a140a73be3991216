package io.ojs.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class HousekeepingTests {

	private static final Duration OFTEN = Duration.ofMillis(20);

	private final AtomicInteger done = new AtomicInteger();

	@Test
	void choresAreDoneAgainAndAgainUntilItIsClosed() {
		Housekeeping chores = new Housekeeping(List.of(chore(this.done::incrementAndGet)));
		chores.start();
		await().until(() -> this.done.get() >= 3);
		chores.close();
		int after = this.done.get();
		await().during(Duration.ofMillis(200)).until(() -> this.done.get() == after);
	}

	@Test
	void choreThatThrowsAnErrorIsDoneAgain() {
		Housekeeping chores = new Housekeeping(List.of(chore(() -> {
			if (this.done.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("something is missing");
			}
		})));
		chores.start();
		await().until(() -> this.done.get() >= 3);
		chores.close();
	}

	@Test
	void choreThatFailsIsGivenAPause() {
		AtomicInteger others = new AtomicInteger();
		Housekeeping chores = new Housekeeping(List.of(chore(() -> {
			this.done.incrementAndGet();
			throw new StoreUnavailableException("The database is away.", null);
		}), chore(others::incrementAndGet)));
		chores.start();
		await().until(() -> this.done.get() > 0);
		await().until(() -> others.get() >= 30);
		assertThat(this.done.get()).isLessThan(6);
		chores.close();
	}

	@Test
	void choreThatHangsHoldsUpNoOther() throws Exception {
		CountDownLatch broker = new CountDownLatch(1);
		Housekeeping chores = new Housekeeping(List.of(chore(() -> {
			try {
				broker.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}), chore(this.done::incrementAndGet)));
		chores.start();
		await().until(() -> this.done.get() >= 3);
		broker.countDown();
		chores.close();
	}

	@Test
	void closingWaitsForWhatIsBeingDoneAndDoesNotInterruptIt() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch closing = new CountDownLatch(1);
		AtomicBoolean interrupted = new AtomicBoolean();
		Housekeeping chores = new Housekeeping(List.of(chore(() -> {
			begun.countDown();
			try {
				closing.await(20, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
			this.done.incrementAndGet();
		})));
		chores.start();
		begun.await();
		Thread closer = new Thread(chores::close);
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
		Housekeeping chores = new Housekeeping(List.of(chore(this.done::incrementAndGet)));
		chores.close();
		for (int round = 0; round < 2; round++) {
			int before = this.done.get();
			chores.start();
			await().until(() -> this.done.get() > before);
			chores.close();
		}
	}

	private static Chore chore(Runnable action) {
		return new Chore("It cannot be done", OFTEN, action);
	}

}
