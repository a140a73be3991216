package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.ojs.TestClock;
import io.ojs.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a relay does in one round.
 */
@Timeout(30)
class RelayTests {

	private static final Duration POLL = Duration.ofSeconds(1);

	private final TestClock clock = new TestClock();

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final ScriptedPublisher publisher = new ScriptedPublisher();

	private final Relay relay = new Relay(this.store, this.publisher, this.clock, 500, POLL);

	@Test
	void whatTheBrokerConfirmsIsNotedAndTheRestGivenBackForLater() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 3));
		this.publisher.refused.put(ScriptedPublisher.id(1), "the queue is full");
		this.relay.relay();
		assertThat(this.store.heldUntil).containsExactly(TestClock.START.plusSeconds(30));
		assertThat(this.store.published).singleElement()
			.satisfies((ids) -> assertThat(ids).containsExactlyInAnyOrder(ScriptedPublisher.id(0),
					ScriptedPublisher.id(2)));
		assertThat(this.store.givenBack).singleElement().satisfies((back) -> {
			assertThat(back.ids()).containsExactly(ScriptedPublisher.id(1));
			assertPause(back.at(), 1);
		});
	}

	@Test
	void behindJobsThatHaveEndedOthersAreLookedFor() {
		this.store.others = new RelayStore.Taken(List.of(), 2);
		this.relay.relay();
		assertThat(this.store.count("take")).isEqualTo(2);
	}

	@Test
	void everythingIsPublishedInBatches() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1200));
		this.store.ordered.addAll(ScriptedPublisher.jobs(1200, 1300));
		this.relay.relay();
		assertThat(this.publisher.published).extracting(List::size).containsExactlyInAnyOrder(100, 500, 500, 200);
		assertThat(this.publisher.published.get(0)).containsExactlyElementsOf(ScriptedPublisher.ids(1200, 1300));
		assertThat(this.store.givenBack).isEmpty();
	}

	@Test
	void queueThatRefusesIsAskedAgainAfterPausesThatGrowAndOthersAreNot() {
		for (int round = 0; round < 8; round++) {
			RelayedJob full = ScriptedPublisher.job(2 * round, "full");
			RelayedJob other = ScriptedPublisher.job(2 * round + 1, "other");
			this.publisher.refused.put(full.id(), "the queue is full");
			this.store.waiting.addAll(List.of(full, other));
			this.relay.relay();
			Instant until = last().at();
			assertPause(until, Math.min(1 << round, 30));
			int asked = this.publisher.published.size();
			this.store.waiting.add(full);
			this.relay.relay();
			assertThat(this.publisher.published).as("calls before the pause is over").hasSize(asked);
			assertThat(last().at()).isEqualTo(until);
			this.clock.advance(Duration.between(this.clock.instant(), until));
		}
		assertThat(this.store.published).hasSize(8);
	}

	@Test
	void jobThatCannotBePublishedBecomesADeadLetterAndOthersOfItsQueueGoOn() {
		RelayedJob bad = ScriptedPublisher.job(0, "default");
		this.publisher.failed.put(bad.id(), "a property is too long");
		for (int round = 1; round <= 3; round++) {
			RelayedJob good = ScriptedPublisher.job(round, "default");
			this.store.waiting.addAll(List.of(bad, good));
			this.relay.relay();
			assertThat(this.store.published).as("round %d", round).hasSize(round).last().isEqualTo(List.of(good.id()));
			if (round < 3) {
				assertThat(last().ids()).containsExactly(bad.id());
				assertPause(last().at(), round);
				assertThat(this.store.buried).isEmpty();
			}
		}
		assertThat(this.store.givenBack).hasSize(2);
		assertThat(this.store.buried)
			.containsOnly(Map.entry(bad.id(), "The job could not be published in 3 tries: a property is too long"));
		this.store.waiting.add(bad);
		this.relay.relay();
		assertThat(this.store.givenBack).as("after a replay it is tried three times again").hasSize(3);
	}

	@Test
	void failuresOfAJobThatIsPublishedAtLastAreForgotten() {
		RelayedJob job = ScriptedPublisher.job(0, "default");
		for (int round = 0; round < 6; round++) {
			if (round == 2) {
				this.publisher.failed.clear();
			}
			else {
				this.publisher.failed.put(job.id(), "its channel was closed");
			}
			this.store.waiting.add(job);
			if (round < 5) {
				this.relay.relay();
			}
		}
		assertThat(this.store.buried).isEmpty();
		this.relay.relay();
		assertThat(this.store.buried).hasSize(1);
	}

	@Test
	void queueThatTakesSomeIsAskedAgainSoon() {
		this.publisher.refused.put(ScriptedPublisher.id(0), "the queue is full");
		for (int round = 0; round < 4; round++) {
			this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
			this.relay.relay();
			this.clock.advance(Duration.ofMinutes(1));
		}
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 2));
		this.relay.relay();
		assertPause(last().at(), 1);
	}

	@Test
	void jobsOfAPublisherThatThrowsAreNotHeld() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 2));
		this.publisher.failure = new IllegalStateException("a bug");
		this.relay.relay();
		assertThat(last().ids()).containsExactlyElementsOf(ScriptedPublisher.ids(0, 2));
		this.clock.advance(Duration.ofMinutes(1));
		this.publisher.failure = null;
		this.publisher.answer = CompletableFuture.failedFuture(new IllegalStateException("a bug"));
		this.store.waiting.addAll(ScriptedPublisher.jobs(2, 4));
		this.relay.relay();
		assertThat(last().ids()).containsExactlyElementsOf(ScriptedPublisher.ids(2, 4));
		assertThat(this.store.published).isEmpty();
	}

	@Test
	void jobsOfAStoreThatIsAwayStayHeld() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 2));
		this.publisher.refused.put(ScriptedPublisher.id(1), "the queue is full");
		this.store.away("published");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.relay::relay);
		assertThat(this.publisher.published).hasSize(1);
		assertThat(this.store.givenBack).isEmpty();
		this.store.away("giveBack");
		this.store.failures.remove("published");
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 2));
		this.clock.advance(Duration.ofMinutes(1));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.relay::relay);
		assertThat(this.store.published).containsExactly(ScriptedPublisher.ids(0, 1));
	}

	@Test
	void nothingIsTakenWhileTheBrokerIsAway() {
		this.publisher.ready = false;
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
		assertThat(this.relay.relay()).isBetween(POLL.multipliedBy(3).dividedBy(4), POLL.multipliedBy(5).dividedBy(4));
		assertThat(this.store.calls).isEmpty();
	}

	@Test
	void nothingMoreIsTakenOnceTheBrokerGoesAway() {
		this.store.waiting.addAll(ScriptedPublisher.jobs(0, 501));
		this.store.before = (method) -> this.publisher.ready &= !method.equals("published");
		this.relay.relay();
		assertThat(this.store.waiting).hasSize(1);
		assertThat(this.store.calls).doesNotContain("nextAt");
	}

	@Test
	void itSleepsUntilTheNextJobIsDue() {
		assertThat(this.relay.relay()).isEqualTo(POLL);
		this.store.due.add(TestClock.START.plusSeconds(3600));
		assertThat(this.relay.relay()).isEqualTo(POLL);
		this.store.due.add(TestClock.START.plusMillis(300));
		assertThat(this.relay.relay()).isEqualTo(Duration.ofMillis(300));
	}

	@Test
	void whatIsDueAndNotGivenIsAskedForAfterPausesThatGrow() {
		this.store.due.add(TestClock.START.minusSeconds(5));
		for (int round = 0; round < 2; round++) {
			for (int i = 0; i < 8; i++) {
				long millis = Math.min(POLL.toMillis(), 100L << i);
				assertThat(this.relay.relay().toMillis()).as("pause %d", i)
					.isBetween(millis * 3 / 4, Math.min(POLL.toMillis(), millis * 5 / 4));
			}
			this.store.waiting.addAll(ScriptedPublisher.jobs(0, 1));
			assertThat(this.relay.relay()).as("after something was given").isLessThan(Duration.ofMillis(126));
			this.store.due.clear();
			this.relay.relay();
			this.store.due.add(TestClock.START.minusSeconds(5));
		}
	}

	@Test
	void othersThatAreDueSoonerEndThePause() {
		this.store.due.addAll(List.of(TestClock.START.minusSeconds(5), TestClock.START.plusMillis(150)));
		for (int i = 0; i < 4; i++) {
			this.relay.relay();
		}
		assertThat(this.relay.relay()).isEqualTo(Duration.ofMillis(150));
		this.clock.advance(Duration.ofMillis(149));
		assertThat(this.relay.relay()).isGreaterThanOrEqualTo(Duration.ofMillis(75));
	}

	private ScriptedRelayStore.GivenBack last() {
		return this.store.givenBack.get(this.store.givenBack.size() - 1);
	}

	/** Changed by a quarter at random. */
	private void assertPause(Instant at, long seconds) {
		assertThat(Duration.between(this.clock.instant(), at)).isBetween(Duration.ofMillis(seconds * 750),
				Duration.ofMillis(seconds * 1250));
	}

}
