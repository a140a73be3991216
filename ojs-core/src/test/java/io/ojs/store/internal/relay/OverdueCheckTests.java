package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.TestClock;
import io.ojs.internal.version.HandlerProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.relay.RelayStore.AtBroker;
import io.ojs.store.internal.relay.ScriptedRelayStore.Again;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class OverdueCheckTests {

	private static final Duration AFTER = Duration.ofMinutes(5);

	private static final Instant OVERDUE = TestClock.START.minus(AFTER);

	private static final Instant LONG_OVERDUE = TestClock.START.minus(AFTER.multipliedBy(10));

	private final TestClock clock = new TestClock();

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final ScriptedPublisher publisher = new ScriptedPublisher();

	private final KnownConsumers handlers = new KnownConsumers();

	private final Relay relay = new Relay(this.store, this.publisher, this.clock, 500, Duration.ofHours(1));

	private final OverdueCheck check = new OverdueCheck(this.store, this.publisher, this.handlers, this.relay,
			this.clock, AFTER);

	@AfterEach
	void close() {
		this.relay.close();
	}

	@Test
	void asManyAsTheBrokerLacksArePublishedAgain() {
		this.store.counts.add(List.of(new AtBroker("lost", 100, 0), new AtBroker("fine", 7, 0)));
		this.publisher.waiting.put("lost", 60L);
		this.publisher.waiting.put("fine", 9L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("lost", OVERDUE, 40));
	}

	@Test
	void relayIsWokenIfThereIsSomethingToPublish() {
		this.relay.start();
		await().until(() -> this.store.count("nextAt") == 1);
		this.store.counts.add(List.of(new AtBroker("lost", 1, 0)));
		this.publisher.waiting.put("lost", 0L);
		this.check.check();
		await().until(() -> this.store.count("nextAt") == 2);
	}

	@Test
	void whatConsumersMayHoldInAdvanceIsLeftAloneForLonger() {
		this.publisher.prefetched = 9;
		this.store.counts.add(List.of(new AtBroker("busy", 100, 2)));
		this.publisher.waiting.put("busy", 85L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("busy", LONG_OVERDUE, 15));
		this.publisher.waiting.put("busy", 50L);
		this.check.check();
		assertThat(this.store.again).endsWith(new Again("busy", OVERDUE, 32), new Again("busy", LONG_OVERDUE, 18));
	}

	@Test
	void idleConsumersHoldNothing() {
		this.publisher.prefetched = 9;
		this.store.counts.add(List.of(new AtBroker("idle", 5, 0)));
		this.publisher.waiting.put("idle", 0L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("idle", OVERDUE, 5));
	}

	@Test
	void whatIsClaimedWhileTheBrokerIsAskedIsNotMissed() {
		this.store.counts.add(List.of(new AtBroker("drained", 100, 0), new AtBroker("emptied", 1, 0)));
		this.store.counts.add(List.of(new AtBroker("drained", 90, 0)));
		this.publisher.waiting.put("drained", 92L);
		this.publisher.waiting.put("emptied", 0L);
		this.check.check();
		assertThat(this.store.again).isEmpty();
	}

	@Test
	void whatIsPublishedWhileTheBrokerIsAskedIsNotMissed() {
		this.store.counts.add(List.of(new AtBroker("filled", 100, 0)));
		this.store.counts.add(List.of(new AtBroker("filled", 120, 0)));
		this.publisher.waiting.put("filled", 98L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("filled", OVERDUE, 2));
	}

	@Test
	void storeIsCountedOnceIfNothingIsMissing() {
		this.store.counts.add(List.of(new AtBroker("fine", 1, 0)));
		this.publisher.waiting.put("fine", 1L);
		this.check.check();
		assertThat(this.store.calls).containsExactly("atBroker");
	}

	@Test
	void queueOfWhichTheBrokerDoesNotTellHoldsUpNoOther() {
		this.store.counts.add(List.of(new AtBroker("forbidden", 1, 0), new AtBroker("lost", 1, 0)));
		this.publisher.waiting.put("lost", 0L);
		assertThatIllegalStateException().isThrownBy(this.check::check).withMessageContaining("forbidden");
		assertThat(this.store.again).containsExactly(new Again("lost", OVERDUE, 1));
	}

	@Test
	void hugeLossIsMadeGoodALittleAtATime() {
		this.store.counts.add(List.of(new AtBroker("lost", 3_000_000_000L, 0)));
		this.publisher.waiting.put("lost", 0L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("lost", OVERDUE, 10_000));
	}

	@Test
	void whatAForeignConsumerMayHaveIsNotPublishedAgain() {
		this.handlers.consumers = 5;
		this.publisher.consumers = 6;
		this.store.counts.add(List.of(new AtBroker("mixed.up", 100, 0)));
		this.publisher.waiting.put("mixed.up", 60L);
		this.check.check();
		assertThat(this.store.givenUp).as("it may be a process that has just begun").isEmpty();
		this.check.check();
		this.check.check();
		assertThat(this.store.givenUp).containsExactly(new Again("mixed.up", OVERDUE, 40),
				new Again("mixed.up", OVERDUE, 40));
		assertThat(this.store.again).isEmpty();
	}

	@Test
	void consumersThatAreGoneDisableNothing() {
		this.publisher.consumers = 1;
		this.store.counts.add(List.of(new AtBroker("lost", 100, 0)));
		this.publisher.waiting.put("lost", 60L);
		this.check.check();
		this.publisher.consumers = 0;
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("lost", OVERDUE, 40));
		this.publisher.consumers = 1;
		this.check.check();
		assertThat(this.store.givenUp).isEmpty();
	}

	@Test
	void ownConsumersDisableNothing() {
		this.handlers.consumers = 10;
		this.publisher.consumers = 5;
		this.store.counts.add(List.of(new AtBroker("lost", 1, 0)));
		this.publisher.waiting.put("lost", 0L);
		this.check.check();
		assertThat(this.store.again).containsExactly(new Again("lost", OVERDUE, 1));
	}

	@Test
	void nobodyIsAskedWhileTheBrokerIsAway() {
		this.publisher.ready = false;
		this.check.check();
		assertThat(this.store.calls).isEmpty();
	}

	@Test
	void storeThatIsAwayIsToldOf() {
		this.store.away("atBroker");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.check::check);
	}

	/** Of all processes together. */
	private static final class KnownConsumers implements HandlerStore {

		private int consumers;

		@Override
		public int consumers(String queue) {
			return this.consumers;
		}

		@Override
		public void announce(String process, Map<String, Integer> queues, HandledJobs handled, Instant now) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<HandlerProcess> trusted(Instant now) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void withdraw(String process) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int release(Set<String> queues, HandledJobs handled, Instant now) {
			throw new UnsupportedOperationException();
		}

	}

}
