package io.ojs.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A relay store that keeps back what belongs to queues that are held: nobody at the
 * broker would take their jobs. They are looked at again after {@link #HOLD}, so that
 * none is forgotten whatever becomes of those who hold them.
 */
public final class HoldingRelayStore implements RelayStore {

	/** How long a job is kept back before it is looked at again. */
	public static final Duration HOLD = Duration.ofMinutes(5);

	/** After so many rounds that were kept back, it is somebody else's turn. */
	private static final int ROUNDS = 20;

	private final RelayStore store;

	private final Predicate<String> held;

	/**
	 * Creates it.
	 * @param store knows what is to be published
	 * @param held whether jobs of an OJS queue stay in the store for now
	 */
	public HoldingRelayStore(RelayStore store, Predicate<String> held) {
		this.store = store;
		this.held = held;
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
		return this.store.takeInTurn(now, until, wanted.and(this.held.negate()), limit);
	}

	/** Goes on until there is something to publish, as nobody asks again otherwise. */
	private Taken take(Instant now, Supplier<Taken> source) {
		List<RelayedJob> wanted = List.of();
		int others = 0;
		for (int round = 0; round < ROUNDS && wanted.isEmpty(); round++) {
			Taken taken = source.get();
			Map<Boolean, List<RelayedJob>> jobs = taken.jobs()
				.stream()
				.collect(Collectors.partitioningBy((job) -> this.held.test(job.queue())));
			List<RelayedJob> kept = jobs.getOrDefault(true, List.of());
			if (!kept.isEmpty()) {
				this.store.giveBack(kept.stream().map(RelayedJob::id).toList(), now.plus(HOLD));
			}
			wanted = jobs.getOrDefault(false, List.of());
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
