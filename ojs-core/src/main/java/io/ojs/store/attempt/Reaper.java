package io.ojs.store.attempt;

import java.util.List;

import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.relay.Relay;

/**
 * Takes jobs back whose worker is gone: nobody has extended their lease, although the
 * store was there.
 */
public final class Reaper {

	private static final int BATCH = 100;

	private final AttemptStore store;

	private final Relay relay;

	private final LeaseGrace grace;

	/**
	 * Creates a reaper.
	 * @param store knows leases
	 * @param relay publishes what is available again
	 * @param grace knows whether leases that are over say anything
	 */
	public Reaper(AttemptStore store, Relay relay, LeaseGrace grace) {
		this.store = store;
		this.relay = relay;
		this.grace = grace;
	}

	/**
	 * Takes back what there is.
	 * @throws StoreException if the database does not let it
	 */
	public void reap() {
		List<StoredJob> reaped;
		do {
			// Asked even if nothing is to be taken, to know whether the store is there.
			reaped = this.store
				.telling(() -> this.grace.ask((now, expired) -> this.store.reap(now, expired ? BATCH : 0)));
			if (reaped.stream().anyMatch((each) -> each.job().state() == JobState.AVAILABLE)) {
				this.relay.wake();
			}
		}
		while (reaped.size() == BATCH);
	}

}
