package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.ojs.store.StoredJob;

/**
 * Asks another relay store. A subclass changes the answers that it has to.
 */
abstract class ForwardingRelayStore implements RelayStore {

	private final RelayStore store;

	ForwardingRelayStore(RelayStore store) {
		this.store = store;
	}

	/** The store that is asked. */
	final RelayStore store() {
		return this.store;
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
	public void handOverPublished(Instant now) {
		this.store.handOverPublished(now);
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
