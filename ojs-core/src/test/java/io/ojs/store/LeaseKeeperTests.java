package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
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

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final Lease OTHER = new Lease(ScriptedAttemptStore.ID, 2);

	private final ScriptedAttemptStore store = new ScriptedAttemptStore();

	private final LeaseKeeper keeper = keeper(LENGTH);

	private final List<Boolean> lost = new CopyOnWriteArrayList<>();

	@Test
	void everythingThatRunsIsExtendedInOneCall() {
		this.keeper.extendAll();
		assertThat(this.store.extended).as("without anything to extend").isEmpty();
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.hold(OTHER, LENGTH, this.lost::add);
		this.keeper.extendAll();
		assertThat(this.store.extended).containsExactly(Set.of(ScriptedAttemptStore.LEASE, OTHER));
		assertThat(this.store.until).containsExactly(NOW.plusSeconds(30));
		this.keeper.release(OTHER);
		this.keeper.extendAll();
		assertThat(this.store.extended.get(1)).containsExactly(ScriptedAttemptStore.LEASE);
		assertThat(this.lost).isEmpty();
	}

	@Test
	void holderOfALostLeaseIsToldOnceAndWhetherTheJobWasCancelled() {
		this.store.valid = false;
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.extendAll();
		this.keeper.extendAll();
		assertThat(this.lost).containsExactly(false);
		this.store.state = JobState.CANCELLED;
		this.keeper.hold(OTHER, LENGTH, this.lost::add);
		this.keeper.extendAll();
		assertThat(this.lost).containsExactly(false, true);
		assertThat(this.store.extended).hasSize(2);
	}

	@Test
	void itGoesOnWhateverTheStoreThrows() {
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.store.away.set(1);
		this.keeper.extendAll();
		this.store.bug = new IllegalStateException("a bug");
		this.keeper.extendAll();
		this.store.bug = null;
		this.keeper.extendAll();
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
		for (int i = 0; i < 100; i++) {
			this.keeper.extendSoon();
		}
		awaitExtended(1);
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
	void databaseThatIsAwayWhenAHolderIsToBeToldIsAskedAgain() {
		this.store.valid = false;
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.store.awayToFind.set(1);
		this.keeper.extendAll();
		assertThat(this.lost).isEmpty();
		this.keeper.extendAll();
		assertThat(this.lost).containsExactly(false);
	}

	@Test
	void heartbeatsCountAfterAStopCutOneOff() {
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.start();
		this.keeper.extendSoon();
		this.keeper.stop();
		this.keeper.start();
		this.keeper.extendSoon();
		// A round of its own comes after five seconds.
		await().atMost(Duration.ofSeconds(3)).until(() -> !this.store.extended.isEmpty());
		this.keeper.stop();
	}

	@Test
	void leasesOfEachLengthAreExtendedByThatMuch() {
		this.keeper.hold(ScriptedAttemptStore.LEASE, LENGTH, this.lost::add);
		this.keeper.hold(OTHER, Duration.ofMinutes(5), this.lost::add);
		this.keeper.extendAll();
		assertThat(this.store.extended).containsExactlyInAnyOrder(Set.of(ScriptedAttemptStore.LEASE), Set.of(OTHER));
		int other = this.store.extended.indexOf(Set.of(OTHER));
		assertThat(this.store.until.get(other)).isEqualTo(NOW.plusSeconds(300));
		assertThat(this.store.until.get(1 - other)).isEqualTo(NOW.plusSeconds(30));
	}

	@Test
	void shortLeasesThatBeginLaterAreExtendedMoreOften() {
		this.keeper.hold(OTHER, Duration.ofMinutes(5), this.lost::add);
		this.keeper.start();
		this.keeper.hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(1), this.lost::add);
		awaitExtended(2);
		this.keeper.stop();
		assertThat(this.store.extended).containsOnly(Set.of(ScriptedAttemptStore.LEASE));
		assertThat(this.store.until).containsOnly(NOW.plusSeconds(1));
	}

	@Test
	void leaseThatIsTooShortIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> keeper(Duration.ofMillis(999)).length("mail"))
			.withMessageContaining("PT0.999S")
			.withMessageContaining("'mail'");
	}

	private LeaseKeeper keeper(Duration lease) {
		return new LeaseKeeper(this.store, this.store, (queue) -> lease, Clock.fixed(NOW, ZoneOffset.UTC));
	}

	private void awaitExtended(int calls) {
		while (this.store.extended.size() < calls) {
			Thread.onSpinWait();
		}
	}

}
