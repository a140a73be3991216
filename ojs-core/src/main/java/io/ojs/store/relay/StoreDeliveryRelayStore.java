package io.ojs.store.relay;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.ojs.store.StoredJob;

/**
 * A relay store that does not publish jobs that workers fetch: it makes them available
 * when they are due, and wakes their workers.
 */
public final class StoreDeliveryRelayStore implements RelayStore {

	/**
	 * The most rounds of jobs that workers fetch; after them the relay does its other
	 * work.
	 */
	private static final int ROUNDS = 20;

	private final RelayStore store;

	private final StoreDelivery delivery;

	/**
	 * Creates the store.
	 * @param store knows the jobs that the broker does not have
	 * @param delivery knows the queues whose jobs the store delivers
	 */
	public StoreDeliveryRelayStore(RelayStore store, StoreDelivery delivery) {
		this.store = store;
		this.delivery = delivery;
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		return take(now, () -> this.store.take(now, until, limit));
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		return take(now, () -> this.store.takeOrdered(now, until, limit));
	}

	@Override
	public Taken takeInTurn(Instant now, Instant until, Predicate<String> wanted, int limit) {
		return this.store.takeInTurn(now, until, wanted.and((queue) -> !this.delivery.delivers(queue)), limit);
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
				this.store.giveBack(jobs.stream().map(RelayedJob::id).toList(), this.delivery.relayAt(queue, now));
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

	@Override
	public void published(String queue, Map<String, Instant> jobs, Instant now) {
		this.store.published(queue, jobs, now);
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
	public List<AtBroker> atBroker(Instant before) {
		return this.store.atBroker(before);
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
