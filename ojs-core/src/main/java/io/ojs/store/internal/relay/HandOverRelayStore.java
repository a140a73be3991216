package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A relay store that hands over jobs of the queues in {@link HandOver} once the broker
 * has confirmed them, where another one notes them as published. The check for overdue
 * jobs ignores these queues.
 */
public final class HandOverRelayStore extends ForwardingRelayStore {

	private static final int BATCH = 500;

	private final HandOverStore handOvers;

	private final HandOver queues;

	/**
	 * Creates the store.
	 * @param store knows the jobs that the broker does not have
	 */
	public HandOverRelayStore(RelayStore store, HandOverStore handOvers, HandOver queues) {
		super(store);
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
			store().published(queue, jobs, now);
		}
	}

	@Override
	public List<AtBroker> atBroker(Instant before) {
		return store().atBroker(before).stream().filter((each) -> !this.queues.test(each.queue())).toList();
	}

}
