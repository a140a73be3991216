package io.ojs.store.relay;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.ojs.store.StoredJob;

/**
 * A relay store that hands over jobs of the queues in {@link HandOver} once the broker
 * has confirmed them, where another one notes them as published. The check for overdue
 * jobs ignores these queues.
 */
public final class HandOverRelayStore implements RelayStore {

	private static final int BATCH = 500;

	private final RelayStore store;

	private final HandOverStore handOvers;

	private final HandOver queues;

	/**
	 * Creates the store.
	 * @param store knows the jobs that the broker does not have
	 * @param handOvers hands jobs over
	 * @param queues the queues that are handed over
	 */
	public HandOverRelayStore(RelayStore store, HandOverStore handOvers, HandOver queues) {
		this.store = store;
		this.handOvers = handOvers;
		this.queues = queues;
	}

	@Override
	public void handOverPublished(Instant now) {
		for (String queue : this.queues.queues()) {
			int handedOver;
			do {
				handedOver = this.handOvers.handOverPublished(queue, now, BATCH);
			}
			while (handedOver == BATCH);
		}
	}

	@Override
	public void published(String queue, Map<String, Instant> jobs, Instant now) {
		if (this.queues.test(queue)) {
			this.handOvers.handOver(jobs, now);
		}
		else {
			this.store.published(queue, jobs, now);
		}
	}

	@Override
	public List<AtBroker> atBroker(Instant before) {
		return this.store.atBroker(before).stream().filter((each) -> !this.queues.test(each.queue())).toList();
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		return this.store.take(now, until, limit);
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		return this.store.takeOrdered(now, until, limit);
	}

	@Override
	public Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		return this.store.takeInTurn(now, until, wanted, limit);
	}

	@Override
	public void giveBack(Collection<String> jobIds, Instant relayAt) {
		this.store.giveBack(jobIds, relayAt);
	}

	@Override
	public List<StoredJob> bury(Map<String, String> reasons, Instant now) {
		return this.store.bury(reasons, now);
	}

	@Override
	public Optional<Instant> nextAt() {
		return this.store.nextAt();
	}

	@Override
	public Optional<Instant> nextAfter(Instant now) {
		return this.store.nextAfter(now);
	}

	@Override
	public int publishAgain(String queue, Instant before, Instant relayAt, int limit) {
		return this.store.publishAgain(queue, before, relayAt, limit);
	}

	@Override
	public int giveUp(String queue, Instant before, int limit) {
		return this.store.giveUp(queue, before, limit);
	}

}
