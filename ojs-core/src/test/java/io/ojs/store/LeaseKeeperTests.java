package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class LeaseKeeperTests {

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final Lease OTHER = new Lease(ScriptedAttemptStore.ID, 2);

	private final ScriptedAttemptStore store = new ScriptedAttemptStore();

	private final LeaseKeeper keeper = keeper(LENGTH);

	private final List<Boolean> lost = new CopyOnWriteArrayList<>();

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
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.extendSoon();
		this.keeper.start();
		assertThat(this.store.extended).hasSize(1);
		for (int i = 0; i < 100; i++) {
			this.keeper.extendSoon();
		}
		awaitExtended(2);
		this.keeper.stop();
		assertThat(this.store.extended.size()).isLessThan(10);
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
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.start();
		this.keeper.extendSoon();
		this.keeper.stop();
		this.keeper.start();
		this.keeper.extendSoon();
		// A beat of its own comes after five seconds.
		await().atMost(Duration.ofSeconds(3)).until(() -> this.store.extended.size() >= 3);
		this.keeper.stop();
	}

	@Test
	void shortLeasesThatBeginLaterAreExtendedMoreOften() {
		this.keeper.hold(OTHER, Duration.ofMinutes(5), this.lost::add);
		this.keeper.start();
		this.keeper.hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(1), this.lost::add);
		// One at the start, and every five seconds for the other one.
		await().atMost(Duration.ofSeconds(4)).until(() -> this.store.extended.size() >= 5);
		this.keeper.stop();
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

	private void awaitExtended(int calls) {
		while (this.store.extended.size() < calls) {
			Thread.onSpinWait();
		}
	}

}
