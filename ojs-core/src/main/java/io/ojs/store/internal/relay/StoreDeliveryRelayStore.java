package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A relay store that does not publish jobs that workers fetch: it makes them available
 * when they are due, and wakes their workers.
 */
public final class StoreDeliveryRelayStore extends ForwardingRelayStore {

	/**
	 * The most rounds of jobs that workers fetch; after them the relay does its other
	 * work.
	 */
	private static final int ROUNDS = 20;

	private final StoreDelivery delivery;

	/**
	 * Creates the store.
	 * @param store knows the jobs that the broker does not have
	 */
	public StoreDeliveryRelayStore(RelayStore store, StoreDelivery delivery) {
		super(store);
		this.delivery = delivery;
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		return take(now, () -> store().take(now, until, limit));
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		return take(now, () -> store().takeOrdered(now, until, limit));
	}

	@Override
	public Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		return store().takeInTurn(now, until, wanted.and((queue) -> !this.delivery.delivers(queue)), limit);
	}

	/**
	 * Takes jobs until there is one to publish: the relay does not ask again after an
	 * empty result.
	 */
	private Taken take(Instant now, Supplier<Taken> source) {
		List<RelayedJob> wanted = List.of();
		int others = 0;
		for (int round = 0; round < ROUNDS && wanted.isEmpty(); round++) {
			Taken taken = source.get();
			Map<Boolean, List<RelayedJob>> parts = taken.jobs()
				.stream()
				.collect(Collectors.partitioningBy((job) -> this.delivery.delivers(job.queue())));
			List<RelayedJob> kept = parts.getOrDefault(true, List.of());
			kept.stream().collect(Collectors.groupingBy(RelayedJob::queue)).forEach((queue, jobs) -> {
				store().giveBack(jobs.stream().map(RelayedJob::id).toList(), this.delivery.relayAt(queue, now));
				this.delivery.available(queue);
			});
			wanted = parts.getOrDefault(false, List.of());
			others += taken.others();
			if (kept.isEmpty()) {
				break;
			}
		}
		return new Taken(wanted, others);
	}

}
