package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.job.JobState;
import io.ojs.store.internal.StoreClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class LeaseKeeperTests {

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final long FOREVER = Duration.ofDays(1).toNanos();

	private static final Lease OTHER = new Lease(ScriptedAttemptStore.ID, 2);

	private final ScriptedAttemptStore store = new ScriptedAttemptStore();

	private final LeaseKeeper keeper = keeper(LENGTH);

	private final List<Boolean> lost = new CopyOnWriteArrayList<>();

	/** What the timer of a paced keeper was to do in a moment. */
	private final List<Runnable> soon = new CopyOnWriteArrayList<>();

	/** How often the timer of a paced keeper was to beat. */
	private final List<Duration> paces = new CopyOnWriteArrayList<>();

	@Test
	void everythingThatRunsIsExtendedInOneCall() {
		this.keeper.beat();
		assertThat(this.store.extended).as("whoever runs nothing lives too").containsExactly(Set.of());
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.hold(OTHER, LENGTH, this.lost::add);
		this.keeper.beat();
		assertThat(this.store.extended.get(1)).isEqualTo(Set.of(ScriptedAttemptStore.LEASE, OTHER));
		this.keeper.release(OTHER);
		this.keeper.beat();
		assertThat(this.store.extended.get(2)).containsExactly(ScriptedAttemptStore.LEASE);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void holderOfALostLeaseIsToldOnceAndWhetherTheJobWasCancelled() {
		this.store.valid = false;
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.beat();
		this.keeper.beat();
		assertThat(this.lost).containsExactly(false);
		this.store.state = JobState.CANCELLED;
		this.keeper.hold(OTHER, LENGTH, this.lost::add);
		this.keeper.beat();
		assertThat(this.lost).containsExactly(false, true);
	}

	@Test
	void itGoesOnWhateverTheStoreThrows() {
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.store.away.set(1);
		this.keeper.beat();
		this.store.bug = new IllegalStateException("a bug");
		this.keeper.beat();
		this.store.bug = null;
		this.keeper.beat();
		assertThat(this.store.extended).hasSize(1);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void itExtendsByItselfUntilItIsStoppedAndMayBeStartedAgain() {
		LeaseKeeper quick = keeper(Duration.ofSeconds(1));
		quick.hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(1), this.lost::add);
		for (int round = 0; round < 2; round++) {
			quick.start();
			quick.start();
			int before = this.store.extended.size();
			awaitExtended(before + 2);
			quick.stop();
		}
	}

	@Test
	void heartbeatsExtendTogetherBeforeTheNextRound() {
		LeaseKeeper paced = pacedKeeper();
		paced.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		paced.extendSoon();
		paced.start();
		awaitExtended(1);
		for (int round = 1; round <= 2; round++) {
			for (int i = 0; i < 100; i++) {
				paced.extendSoon();
			}
			assertThat(this.soon).hasSize(round);
			this.soon.get(round - 1).run();
			assertThat(this.store.extended).hasSize(1 + round);
		}
		paced.stop();
	}

	@Test
	void errorsDoNotEndTheExtending() {
		LeaseKeeper quick = keeper(Duration.ofSeconds(1));
		quick.hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(1), (cancelled) -> {
			throw new StackOverflowError("of somebody who is told");
		});
		quick.hold(OTHER, Duration.ofSeconds(1), this.lost::add);
		this.store.valid = false;
		quick.start();
		await().until(() -> !this.lost.isEmpty());
		this.store.valid = true;
		quick.hold(OTHER, Duration.ofSeconds(1), this.lost::add);
		awaitExtended(this.store.extended.size() + 2);
		quick.stop();
	}

	@Test
	void heartbeatsCountAfterAStopCutOneOff() {
		LeaseKeeper paced = pacedKeeper();
		paced.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		paced.start();
		paced.extendSoon();
		paced.stop();
		paced.start();
		paced.extendSoon();
		assertThat(this.soon).hasSize(2);
		this.soon.get(1).run();
		awaitExtended(3);
		paced.stop();
	}

	@Test
	void shortLeasesThatBeginLaterAreExtendedMoreOften() {
		LeaseKeeper paced = pacedKeeper();
		paced.hold(OTHER, Duration.ofMinutes(5), this.lost::add);
		paced.start();
		paced.hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(3), this.lost::add);
		assertThat(this.paces).containsExactly(Duration.ofSeconds(5), Duration.ofMillis(500));
		paced.stop();
		assertThat(this.store.closed).hasValue(1);
	}

	@Test
	void leaseThatIsTooShortIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> keeper(Duration.ofMillis(999)).length("mail"))
			.withMessageContaining("PT0.999S")
			.withMessageContaining("'mail'");
	}

	private LeaseKeeper keeper(Duration lease) {
		return new LeaseKeeper(this.store, "worker", (queue) -> lease, new StoreClock(Clock.systemUTC()));
	}

	/** Its timer does nothing by itself but what is to be done at once. */
	private LeaseKeeper pacedKeeper() {
		return new LeaseKeeper(this.store, "worker", (queue) -> LENGTH, new StoreClock(Clock.systemUTC()),
				() -> new ScheduledThreadPoolExecutor(1, LeaseKeeper::newThread) {

					@Override
					public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
						if (delay > 0) {
							LeaseKeeperTests.this.soon.add(command);
						}
						return super.schedule(command, (delay > 0) ? FOREVER : 0, TimeUnit.NANOSECONDS);
					}

					@Override
					public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay,
							TimeUnit unit) {
						LeaseKeeperTests.this.paces.add(Duration.of(delay, unit.toChronoUnit()));
						return super.scheduleWithFixedDelay(command, FOREVER, FOREVER, TimeUnit.NANOSECONDS);
					}

				});
	}

	private void awaitExtended(int calls) {
		while (this.store.extended.size() < calls) {
			Thread.onSpinWait();
		}
	}

}
