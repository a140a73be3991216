package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.TestClock;
import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.internal.StoreClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(30)
class AttemptsTests {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private static final Outcome DONE = new Outcome.Completed(ScriptedAttemptStore.LEASE, "done");

	private final ScriptedAttemptStore store = new ScriptedAttemptStore();

	private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

	private final Attempts attempts = new Attempts(this.store, this.store,
			new LeaseKeeper(this.store, "worker", (queue) -> Duration.ofSeconds(30), new StoreClock(Clock.systemUTC())),
			new LeaseGrace(Duration.ofSeconds(30), this.clock), ProgressSink.NONE, this.clock);

	/** What those are told who do not wait. */
	private final List<Object> told = new ArrayList<>();

	private final List<Throwable> refused = new ArrayList<>();

	@Test
	void claimIsAskedForOnceWithALeaseFromNow() {
		assertThat(this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).get()
			.isInstanceOf(Claim.Taken.class);
		assertThat(this.store.until).containsExactly(NOW.plusSeconds(30));
	}

	/** A slow listener costs no other job of its batch its lease. */
	@Test
	void listenersAreToldWhenTheClaimIsAnswered() {
		this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> false);
		assertThat(this.store.order).containsExactly("telling", "claim", "told");
	}

	@Test
	void databaseThatIsAwayIsWaitedFor() {
		this.store.away.set(4);
		AtomicInteger looks = new AtomicInteger();
		assertThat(this.attempts.settle(DONE, () -> looks.incrementAndGet() > 10))
			.isEqualTo(Attempts.Recording.RECORDED);
		assertThat(looks).hasValue(4);
		assertThat(this.store.settled).containsExactly(DONE);
		this.store.away.set(2);
		assertThat(this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).isPresent();
	}

	@Test
	void rowThatIsLockedIsAskedForAgain() {
		this.store.locked.set(3);
		assertThat(this.attempts.settle(DONE, () -> false)).isEqualTo(Attempts.Recording.RECORDED);
		assertThat(this.store.settled).containsExactly(DONE);
		this.store.locked.set(3);
		assertThat(this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).get()
			.isInstanceOf(Claim.Taken.class);
		this.store.locked.set(3);
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.told::add);
		assertThat(this.told).containsExactly(Attempts.Recording.RECORDED);
	}

	@Test
	void claimThatIsRepeatedTellsWhenItWasMadeWithoutAnAnswer() {
		TestClock clock = new TestClock();
		Attempts attempts = new Attempts(this.store, this.store,
				new LeaseKeeper(this.store, "worker", (queue) -> Duration.ofSeconds(30),
						new StoreClock(Clock.systemUTC())),
				new LeaseGrace(Duration.ofSeconds(30), clock), ProgressSink.NONE, clock);
		this.store.away.set(4);
		attempts.claim(ScriptedAttemptStore.REQUEST, () -> {
			clock.advance(Duration.ofSeconds(12));
			return false;
		});
		assertThat(this.store.requests).extracting(ClaimRequest::unanswered)
			.containsExactly(Set.of(), Set.of(NOW), Set.of(NOW, NOW.plusSeconds(12)),
					// The lease of the first one is over.
					Set.of(NOW.plusSeconds(12), NOW.plusSeconds(24)), Set.of(NOW.plusSeconds(24), NOW.plusSeconds(36)));
		attempts.claim(ScriptedAttemptStore.REQUEST, () -> false);
		assertThat(this.store.requests.get(5).unanswered()).as("for another message").isEmpty();
	}

	@Test
	void nobodyWaitsWhenItIsHopelessOrTheThreadIsInterrupted() {
		this.store.away.set(Integer.MAX_VALUE);
		assertThat(this.attempts.settle(DONE, () -> true)).isEqualTo(Attempts.Recording.GIVEN_UP);
		assertThat(this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> true)).isEmpty();
		Thread.currentThread().interrupt();
		assertThat(this.attempts.settle(DONE, () -> false)).isEqualTo(Attempts.Recording.GIVEN_UP);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void outcomeWithoutAValidLeaseIsNotTakenAndSaysWhetherTheJobWasCancelled() {
		this.store.valid = false;
		assertThat(this.attempts.settle(DONE, () -> false)).isEqualTo(Attempts.Recording.STALE);
		this.store.state = JobState.CANCELLED;
		assertThat(this.attempts.settle(DONE, () -> false)).isEqualTo(Attempts.Recording.CANCELLED);
	}

	@Test
	void refusalsAreNotRepeated() {
		StoreException refusal = new StoreException("a value that the database refuses", null);
		this.store.bug = refusal;
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.attempts.settle(DONE, () -> false))
			.isSameAs(refusal);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.attempts.claim(ScriptedAttemptStore.REQUEST, () -> false))
			.isSameAs(refusal);
	}

	@Test
	void whatHasNotBegunIsGivenBackAndItsLeaseIsExtendedNoLonger() {
		hold();
		this.attempts.giveBack(List.of(ScriptedAttemptStore.LEASE), () -> false);
		assertThat(this.store.settled).containsExactly(new Outcome.Requeued(ScriptedAttemptStore.LEASE, NOW));
		assertThat(held()).isEmpty();
		this.attempts.giveBack(List.of(), () -> false);
		assertThat(this.store.settled).hasSize(1);
	}

	@Test
	void whatHasNotBegunIsGivenBackWhenTheDatabaseIsBackAndItsRowIsFree() {
		this.store.away.set(2);
		this.store.locked.set(2);
		this.attempts.giveBack(List.of(ScriptedAttemptStore.LEASE), () -> false);
		assertThat(this.store.settled).hasSize(1);
	}

	@Test
	void leaseOfWhatCannotBeGivenBackEnds() {
		hold();
		this.store.away.set(Integer.MAX_VALUE);
		this.attempts.giveBack(List.of(ScriptedAttemptStore.LEASE), () -> true);
		this.store.away.set(0);
		assertThat(held()).isEmpty();
		hold();
		this.store.bug = new StoreException("a value that the database refuses", null);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.attempts.giveBack(List.of(ScriptedAttemptStore.LEASE), () -> false));
		this.store.bug = null;
		assertThat(held()).isEmpty();
	}

	private void hold() {
		this.attempts.leases().hold(ScriptedAttemptStore.LEASE, Duration.ofSeconds(30), (cancelled) -> {
		});
	}

	private Collection<Lease> held() {
		this.attempts.leases().beat();
		return this.store.extended.get(this.store.extended.size() - 1);
	}

	@Test
	void outcomeThatIsLeftIsToldOnce() {
		this.attempts.settleLater(DONE, () -> true, this.told::add, this.told::add);
		assertThat(this.told).containsExactly(Attempts.Recording.RECORDED);
		assertThat(this.store.settled).containsExactly(DONE);
	}

	@Test
	void outcomeThatIsLeftWhileTheDatabaseIsAwayIsRecordedWhenItIsBackAndToldOnce() {
		this.store.away.set(4);
		AtomicInteger looks = new AtomicInteger();
		this.attempts.settleLater(DONE, () -> looks.incrementAndGet() > 10, this.told::add, this.told::add);
		assertThat(this.told).containsExactly(Attempts.Recording.RECORDED);
		assertThat(looks).as("looks before each further try").hasValue(4);
		assertThat(this.store.settled).containsExactly(DONE);
	}

	@Test
	void outcomeThatIsLeftIsGivenUpWhenItIsHopeless() {
		this.store.away.set(Integer.MAX_VALUE);
		this.attempts.settleLater(DONE, () -> true, this.told::add, this.told::add);
		assertThat(this.told).containsExactly(Attempts.Recording.GIVEN_UP);
	}

	@Test
	void outcomeThatIsLeftWithoutAValidLeaseSaysWhetherTheJobWasCancelled() {
		this.store.valid = false;
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.told::add);
		this.store.state = JobState.CANCELLED;
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.told::add);
		// Nobody can tell why, and it is lost all the same.
		this.store.awayToFind.set(1);
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.told::add);
		assertThat(this.told).containsExactly(Attempts.Recording.STALE, Attempts.Recording.CANCELLED,
				Attempts.Recording.STALE);
	}

	@Test
	void refusalOfAnOutcomeThatIsLeftIsToldAndLeavesNothing() {
		this.store.bug = new StoreException("a value that the database refuses", null);
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.refused::add);
		assertThat(this.refused).containsExactly(this.store.bug);
		this.store.bug = new IllegalStateException("a bug in the store");
		this.attempts.settleLater(DONE, () -> false, this.told::add, this.refused::add);
		assertThat(this.refused).hasSize(2).last().isSameAs(this.store.bug);
		assertThat(this.told).isEmpty();
	}

}
