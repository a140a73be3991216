package io.ojs.store.internal.attempt;

import java.util.List;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.relay.Relay;

/**
 * Takes back jobs of workers that are gone: their leases were not extended, although the
 * store was there.
 */
public final class Reaper {

	private static final int BATCH = 100;

	private final AttemptStore store;

	private final Relay relay;

	private final LeaseGrace grace;

	/**
	 * Creates a reaper.
	 * @param grace knows whether a lease that is over can be taken
	 */
	public Reaper(AttemptStore store, Relay relay, LeaseGrace grace) {
		this.store = store;
		this.relay = relay;
		this.grace = grace;
	}

	/**
	 * Takes back all jobs whose run is lost.
	 * @throws StoreException if the database fails
	 */
	public void reap() {
		List<StoredJob> reaped;
		do {
			// Asked even if nothing can be taken: the grace has to know whether the store
			// answers.
			reaped = this.store
				.telling(() -> this.grace.ask((now, expired) -> this.store.reap(now, expired ? BATCH : 0)));
			if (reaped.stream().anyMatch((each) -> each.job().state() == JobState.AVAILABLE)) {
				this.relay.wake();
			}
		}
		while (reaped.size() == BATCH);
	}

}
