package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.TestClock;
import io.ojs.store.internal.NewJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoreDeliveryRelayStoreTests {

	private static final Instant NOW = TestClock.START;

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final StoreDeliveryRelayStore holding = new StoreDeliveryRelayStore(this.store, "held"::equals);

	private RelayStore.Taken take(int limit) {
		return this.holding.take(NOW, NOW.plusSeconds(30), limit);
	}

	@Test
	void jobsOfFetchedQueuesAreKeptBackAndOthersPublished() {
		this.store.waiting.addAll(List.of(ScriptedPublisher.job(1, "held"), ScriptedPublisher.job(2, "default"),
				ScriptedPublisher.job(3, "held")));
		assertThat(take(10).jobs()).extracting(RelayedJob::id).containsExactly(ScriptedPublisher.id(2));
		assertThat(this.store.givenBack).containsExactly(new ScriptedRelayStore.GivenBack(
				List.of(ScriptedPublisher.id(1), ScriptedPublisher.id(3)), NOW.plus(StoreDelivery.HOLD)));
	}

	@Test
	void whatIsKeptBackHidesNothingBehindIt() {
		for (int i = 0; i < 7; i++) {
			this.store.waiting.add(ScriptedPublisher.job(i, "held"));
		}
		this.store.waiting.add(ScriptedPublisher.job(7, "default"));
		assertThat(take(2).jobs()).extracting(RelayedJob::id).containsExactly(ScriptedPublisher.id(7));
		assertThat(this.store.givenBack).hasSize(4);
		assertThat(take(2)).isEqualTo(RelayStore.Taken.NOTHING);
	}

	@Test
	void orderedQueuesAreHeldToo() {
		this.store.ordered.add(ScriptedPublisher.job(1, "held"));
		assertThat(this.holding.takeOrdered(NOW, NOW.plusSeconds(30), 10).jobs()).isEmpty();
		assertThat(this.store.givenBack).hasSize(1);
	}

	@Test
	void newJobsOfFetchedQueuesAreLeftToTheRelayForLong() {
		ScriptedPublisher publisher = new ScriptedPublisher();
		try (Relay relay = new Relay(this.holding, publisher, new TestClock(), 10, Duration.ofSeconds(1));
				DirectPublisher direct = new DirectPublisher(publisher, new PublishedJobs(this.store, new TestClock()),
						new TestClock())) {
			CommittedJobs committed = new CommittedJobs(direct, relay, (queue) -> false, "held"::equals,
					Duration.ofSeconds(10));
			NewJob held = committed.prepare(ScriptedPublisher.job(1, "held").encoded(), Map.of(), NOW);
			NewJob other = committed.prepare(ScriptedPublisher.job(2, "default").encoded(), Map.of(), NOW);
			assertThat(held.relayAt()).isEqualTo(NOW.plus(StoreDelivery.HOLD));
			assertThat(other.relayAt()).isEqualTo(NOW.plusSeconds(10));
			direct.start();
			committed.accept(List.of(held, other));
		}
		assertThat(publisher.published).containsExactly(List.of(ScriptedPublisher.id(2)));
	}

	@Test
	void eachQueueSaysUntilWhenItsJobsAreKeptBackAndHasItsWorkersTold() {
		List<String> told = new ArrayList<>();
		StoreDeliveryRelayStore own = new StoreDeliveryRelayStore(this.store, new StoreDelivery() {

			@Override
			public boolean delivers(String queue) {
				return !queue.equals("default");
			}

			@Override
			public Instant relayAt(String queue, Instant now) {
				return now.plusSeconds(queue.length());
			}

			@Override
			public void available(String queue) {
				told.add(queue + " after " + StoreDeliveryRelayStoreTests.this.store.givenBack.size());
			}

		});
		this.store.waiting.addAll(List.of(ScriptedPublisher.job(1, "mail"), ScriptedPublisher.job(2, "default"),
				ScriptedPublisher.job(3, "reports"), ScriptedPublisher.job(4, "mail")));
		assertThat(own.take(NOW, NOW.plusSeconds(30), 10).jobs()).extracting(RelayedJob::id)
			.containsExactly(ScriptedPublisher.id(2));
		assertThat(this.store.givenBack).containsExactlyInAnyOrder(
				new ScriptedRelayStore.GivenBack(List.of(ScriptedPublisher.id(1), ScriptedPublisher.id(4)),
						NOW.plusSeconds(4)),
				new ScriptedRelayStore.GivenBack(List.of(ScriptedPublisher.id(3)), NOW.plusSeconds(7)));
		// Whoever is told has to find them free.
		String first = this.store.givenBack.get(0).ids().contains(ScriptedPublisher.id(3)) ? "reports" : "mail";
		assertThat(told).containsExactly(first + " after 1", (first.equals("mail") ? "reports" : "mail") + " after 2");
	}

	@Test
	void aNewJobOfAQueueThatTheStoreDeliversWakesAWorkerAndIsNotPublished() {
		List<String> told = new CopyOnWriteArrayList<>();
		StoreDelivery delivery = new StoreDelivery() {

			@Override
			public boolean delivers(String queue) {
				return queue.equals("mail");
			}

			@Override
			public Instant relayAt(String queue, Instant now) {
				return now.plusSeconds(1000);
			}

			@Override
			public void available(String queue) {
				told.add(queue);
			}

		};
		ScriptedPublisher publisher = new ScriptedPublisher();
		try (Relay relay = new Relay(this.holding, publisher, new TestClock(), 10, Duration.ofSeconds(1));
				DirectPublisher direct = new DirectPublisher(publisher, new PublishedJobs(this.store, new TestClock()),
						new TestClock())) {
			CommittedJobs committed = new CommittedJobs(direct, relay, (queue) -> false, delivery,
					Duration.ofSeconds(10));
			NewJob mail = committed.prepare(ScriptedPublisher.job(1, "mail").encoded(), Map.of(), NOW);
			NewJob other = committed.prepare(ScriptedPublisher.job(2, "default").encoded(), Map.of(), NOW);
			assertThat(mail.relayAt()).isEqualTo(NOW.plusSeconds(1000));
			assertThat(committed.isUntouched(mail, NOW)).as("it may be fetched by now").isFalse();
			assertThat(committed.isUntouched(other, NOW)).isTrue();
			direct.start();
			committed.accept(List.of(mail, other));
		}
		assertThat(told).containsExactly("mail");
		assertThat(publisher.published).containsExactly(List.of(ScriptedPublisher.id(2)));
	}

}
