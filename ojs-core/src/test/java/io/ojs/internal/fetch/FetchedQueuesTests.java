package io.ojs.internal.fetch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ojs.TestClock;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.relay.StoreDelivery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class FetchedQueuesTests {

	private final TestClock clock = new TestClock();

	private final Shared store = new Shared();

	private final Broker broker = new Broker();

	private QueueState state = QueueState.ACTIVE;

	private final LiveQueues queues = new LiveQueues() {

		@Override
		public LiveQueue get(String name) {
			return new LiveQueue(name, FetchedQueuesTests.this.state, QueueConfig.NONE);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			throw new UnsupportedOperationException();
		}

	};

	private final Set<String> configured = new HashSet<>();

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final WakeUps wakeUps = new WakeUps(this.told::add);

	private final FetchedQueues held = new FetchedQueues(this.store, this.broker, this.queues, this.clock,
			this.configured::contains, this.wakeUps);

	private void fetch() {
		this.held.fetched(List.of("mail"));
	}

	@Test
	void aQueueIsHeldWhenItIsFetchedFromAndNobodyConsumesIt() {
		this.held.check();
		assertThat(this.held.delivers("mail")).isFalse();
		assertThat(this.held.isUsed()).isFalse();
		fetch();
		assertThat(this.held.isUsed()).isTrue();
		assertThat(this.held.delivers("mail")).as("before the broker was asked").isFalse();
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.held.delivers("other")).isFalse();
		assertThat(this.broker.swept).containsExactly("mail");
	}

	@Test
	void consumersReleaseIt() {
		fetch();
		this.held.check();
		this.broker.consumers = 1;
		this.held.check();
		assertThat(this.held.delivers("mail")).isFalse();
		assertThat(this.store.released).containsExactly("mail");
		this.held.check();
		assertThat(this.store.released).as("once").hasSize(1);
		this.broker.consumers = 0;
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
	}

	@Test
	void itIsReleasedWhenNobodyFetchesAnyLonger() {
		fetch();
		this.held.check();
		this.clock.advance(FetchedQueues.FETCHED.minusSeconds(1));
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.held.delivers("mail")).isFalse();
		this.held.check();
		assertThat(this.store.released).containsExactly("mail");
		this.held.check();
		assertThat(this.store.released).hasSize(1);
	}

	@Test
	void aPausedQueueIsNotHeld() {
		fetch();
		this.state = QueueState.PAUSED;
		this.held.check();
		assertThat(this.held.delivers("mail")).isFalse();
		assertThat(this.broker.swept).isEmpty();
	}

	@Test
	void otherInstancesHoldItTooAndAreToldNowAndThen() {
		FetchedQueues other = new FetchedQueues(this.store, this.broker, this.queues, this.clock,
				this.configured::contains, this.wakeUps);
		fetch();
		fetch();
		assertThat(this.store.notes).isEqualTo(1);
		other.check();
		assertThat(other.delivers("mail")).isTrue();
		this.clock.advance(Duration.ofSeconds(6));
		fetch();
		assertThat(this.store.notes).isEqualTo(2);
	}

	@Test
	void whatOthersKnowLaterIsNothingNew() {
		fetch();
		this.clock.advance(FetchedQueues.FETCHED.minusSeconds(1));
		fetch();
		this.store.fetched.put("mail", TestClock.START);
		this.held.check();
		this.clock.advance(Duration.ofSeconds(2));
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.store.released).isEmpty();
	}

	@Test
	void whatIsTakenFromTheBrokerIsKeptForAWhile() {
		fetch();
		this.held.check();
		assertThat(this.store.keptUntil).isEqualTo(TestClock.START.plus(StoreDelivery.HOLD));
	}

	@Test
	void withoutABrokerItStaysAsItWas() {
		fetch();
		this.held.check();
		this.broker.ready = false;
		this.broker.consumers = 1;
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
	}

	@Test
	void oneQueueThatFailsKeepsNoOtherFromBeingLookedAfter() {
		this.held.fetched(List.of("bad", "mail"));
		this.broker.bad = "bad";
		assertThatIllegalStateException().isThrownBy(this.held::check);
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.held.delivers("bad")).isFalse();
	}

	@Test
	void aConfiguredQueueThatThisProcessFetchesFromIsDeliveredByTheStoreWhateverOthersDo() {
		this.configured.add("mail");
		assertThat(this.held.delivers("mail")).as("by no worker yet").isFalse();
		this.wakeUps.add("mail", () -> true);
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.held.delivers("other")).isFalse();
		assertThat(this.held.relayAt("mail", TestClock.START)).isEqualTo(TestClock.START.plus(FetchedQueues.FOR_GOOD));
		assertThat(this.held.relayAt("other", TestClock.START)).isEqualTo(TestClock.START.plus(StoreDelivery.HOLD));
		this.broker.consumers = 1;
		this.state = QueueState.PAUSED;
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.held.isUsed()).as("by workers that fetch over HTTP").isFalse();
		assertThat(this.store.released).isEmpty();
		assertThat(this.store.fetched).as("other processes know").containsOnlyKeys("mail");
	}

	@Test
	void aConfiguredQueueThatOthersFetchFromIsTheStoresForGoodUnlessItHasConsumers() {
		this.configured.add("mail");
		this.held.check();
		assertThat(this.held.delivers("mail")).as("no worker has ever fetched from it").isFalse();
		this.store.fetched.put("mail", TestClock.START.minus(Duration.ofDays(9)));
		this.store.fetched.put("other", TestClock.START.minus(Duration.ofDays(9)));
		this.clock.advance(Duration.ofSeconds(6));
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.held.delivers("other")).isFalse();
		this.state = QueueState.PAUSED;
		assertThat(this.held.delivers("mail")).as("while it is paused").isTrue();
		this.broker.consumers = 1;
		this.held.check();
		assertThat(this.held.delivers("mail")).isFalse();
		assertThat(this.store.released).containsExactly("mail");
		assertThat(this.store.releasedAfter).isBefore(this.clock.instant().plus(StoreDelivery.HOLD));
	}

	@Test
	void jobsOfAConfiguredQueueThatIsConsumedAreReleasedAgainAndAgain() {
		this.configured.add("mail");
		this.store.fetched.put("mail", TestClock.START);
		this.broker.consumers = 1;
		this.held.check();
		this.held.check();
		assertThat(this.store.released).containsExactly("mail");
		this.clock.advance(Duration.ofSeconds(11));
		this.held.check();
		assertThat(this.store.released).as("what was committed late").containsExactly("mail", "mail");
	}

	@Test
	void aDeletedQueueIsNotSwept() {
		this.configured.add("mail");
		this.wakeUps.works("mail");
		this.state = QueueState.DELETED;
		this.held.check();
		assertThat(this.broker.swept).isEmpty();
		this.state = QueueState.PAUSED;
		this.held.check();
		assertThat(this.broker.swept).containsExactly("mail");
	}

	@Test
	void aQueueThatIsPausedHereStaysTheStores() {
		this.configured.add("mail");
		BooleanSupplier worker = () -> true;
		this.wakeUps.add("mail", worker);
		this.held.check();
		this.wakeUps.remove("mail", worker);
		assertThat(this.held.delivers("mail")).isTrue();
	}

	@Test
	void workersOfAConfiguredQueueAreWokenAndNoOthers() {
		this.configured.add("mail");
		List<String> woken = new ArrayList<>();
		for (String queue : List.of("mail", "other")) {
			this.wakeUps.add(queue, () -> woken.add(queue));
		}
		this.held.available("mail");
		this.held.available("other");
		assertThat(woken).containsExactly("mail");
	}

	@Test
	void aConfiguredQueueThatThisProcessWorksIsSweptForGoodAndItsWorkerWoken() {
		this.configured.add("mail");
		this.held.check();
		assertThat(this.broker.swept).as("this process does not work it").isEmpty();
		AtomicInteger woken = new AtomicInteger();
		this.wakeUps.add("mail", () -> woken.incrementAndGet() > 0);
		this.held.check();
		assertThat(this.broker.swept).containsExactly("mail");
		assertThat(woken).as("there was nothing").hasValue(0);
		this.broker.messages = 2;
		this.held.check();
		assertThat(this.store.keptUntil).isEqualTo(TestClock.START.plus(FetchedQueues.FOR_GOOD));
		assertThat(woken).hasValue(1);
	}

	@Test
	void consumersOfAConfiguredQueueTakeNothingFromTheStore() {
		this.configured.add("mail");
		this.wakeUps.add("mail", () -> true);
		this.held.check();
		this.broker.consumers = 2;
		this.held.check();
		assertThat(this.held.delivers("mail")).isTrue();
		assertThat(this.store.released).isEmpty();
		assertThat(this.broker.swept).containsExactly("mail", "mail");
	}

	@Test
	void jobsThatWereLeftToTheStoreAreReleasedNowAndThenByThoseWhoWorkTheirQueueByTheBroker() {
		this.configured.add("mail");
		this.store.fetched.put("mail", TestClock.START);
		this.store.fetched.put("reports", TestClock.START);
		this.held.workByBroker(List.of("mail", "reports", "new"));
		this.held.check();
		assertThat(this.store.released).as("a worker of the other may be configured otherwise")
			.containsExactlyInAnyOrder("reports", "new");
		assertThat(this.store.releasedAfter).isEqualTo(TestClock.START.plus(FetchedQueues.FOR_GOOD.dividedBy(2)));
		this.clock.advance(Duration.ofSeconds(6));
		this.held.check();
		assertThat(this.store.released).hasSize(2);
		this.clock.advance(Duration.ofSeconds(6));
		this.held.check();
		assertThat(this.store.released).hasSize(3).endsWith("reports");
		assertThat(this.store.fetched).containsKey("reports");
		this.clock.advance(Duration.ofDays(7));
		this.held.check();
		assertThat(this.store.fetched).as("no worker has fetched for long").containsOnlyKeys("mail");
	}

	@Test
	void aReleaseThatFailsIsTriedAgain() {
		this.store.fetched.put("reports", TestClock.START);
		this.held.workByBroker(List.of("reports"));
		this.store.away = true;
		assertThatIllegalStateException().isThrownBy(this.held::check);
		this.store.away = false;
		this.held.check();
		assertThat(this.store.released).containsExactly("reports");
	}

	@Test
	void theBrokerIsNotNeededToReleaseJobs() {
		this.broker.ready = false;
		this.store.fetched.put("reports", TestClock.START);
		this.held.workByBroker(List.of("reports"));
		this.held.check();
		assertThat(this.store.released).containsExactly("reports");
	}

	/** What a database would share. */
	private static final class Shared implements FetchedQueueStore {

		private final Map<String, Instant> fetched = new HashMap<>();

		private final List<String> released = new ArrayList<>();

		private int notes;

		private @Nullable Instant keptUntil;

		private @Nullable Instant releasedAfter;

		private boolean away;

		@Override
		public void fetched(Collection<String> queues, Instant now) {
			this.notes++;
			queues.forEach((queue) -> this.fetched.put(queue, now));
		}

		@Override
		public Map<String, Instant> fetchedSince(Instant since) {
			return this.fetched.entrySet()
				.stream()
				.filter((entry) -> !entry.getValue().isBefore(since))
				.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
		}

		@Override
		public void forget(String queue, Instant last) {
			this.fetched.remove(queue, last);
		}

		@Override
		public void keep(LiveQueue queue, List<TakenMessage> messages, Instant now, Instant relayAt) {
			this.keptUntil = relayAt;
		}

		@Override
		public int release(String queue, Instant now, Instant after) {
			if (this.away) {
				throw new IllegalStateException("The database is away.");
			}
			this.released.add(queue);
			this.releasedAfter = after;
			return 1;
		}

	}

	/** One whose queues all have as many consumers, and no messages. */
	private static final class Broker implements BrokerQueues {

		private final List<String> swept = new ArrayList<>();

		private int consumers;

		private boolean ready = true;

		private String bad = "";

		private int messages;

		@Override
		public boolean isReady() {
			return this.ready;
		}

		@Override
		public int consumers(String queue) {
			if (queue.equals(this.bad)) {
				throw new IllegalStateException("no answer");
			}
			return this.consumers;
		}

		@Override
		public int sweep(String queue, Consumer<List<TakenMessage>> keeper) {
			this.swept.add(queue);
			keeper.accept(List.of());
			return this.messages;
		}

	}

}
