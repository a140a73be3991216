package io.ojs.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs back whose worker is gone: nobody has extended their lease.
 * <p>
 * While the store was away, nobody could: leases that are over say nothing about their
 * workers then. So nothing is taken back before the store has been there for as long as a
 * lease lasts, which is time enough to extend it.
 */
public final class Reaper {

	private static final Logger logger = LoggerFactory.getLogger(Reaper.class);

	private static final int BATCH = 100;

	private final AttemptStore store;

	private final Relay relay;

	private final JobEvents events;

	private final Clock clock;

	private final Duration lease;

	/** Whether the store was away when it was asked last. */
	private boolean away;

	/** Before that, leases that are over say nothing. */
	private Instant notBefore = Instant.MIN;

	/**
	 * Creates a reaper.
	 * @param store knows leases
	 * @param relay publishes what is available again
	 * @param events is told of jobs that have no attempt left
	 * @param clock tells the time
	 * @param lease how long a lease lasts that is not extended
	 */
	public Reaper(AttemptStore store, Relay relay, JobEvents events, Clock clock, Duration lease) {
		this.store = store;
		this.relay = relay;
		this.events = events;
		this.clock = clock;
		this.lease = lease;
	}

	/**
	 * Takes back what there is. One thread at a time.
	 * @throws StoreException if the database does not let it
	 */
	public void reap() {
		int limit;
		int reaped;
		do {
			Instant now = this.clock.instant();
			// It has to be asked all the same, to know whether it is there.
			limit = (this.away || now.isBefore(this.notBefore)) ? 0 : BATCH;
			reaped = reap(now, limit);
		}
		while (limit > 0 && reaped == limit);
	}

	private int reap(Instant now, int limit) {
		List<StoredJob> reaped;
		try {
			reaped = this.store.reap(now, limit);
		}
		catch (StoreUnavailableException ex) {
			this.away = true;
			throw ex;
		}
		Instant answered = this.clock.instant();
		// A database that is frozen fails nobody who waits for as long as it takes.
		if (this.away || Duration.between(now, answered).compareTo(this.lease.dividedBy(2)) > 0) {
			this.away = false;
			this.notBefore = answered.plus(this.lease);
			logger.info("The job store was away: for {} no job is taken from a worker that did not extend its lease",
					this.lease);
		}
		reaped.stream().filter((each) -> each.job().state() == JobState.DISCARDED).forEach(this::discarded);
		if (reaped.stream().anyMatch((each) -> each.job().state() == JobState.AVAILABLE)) {
			this.relay.wake();
		}
		return reaped.size();
	}

	private void discarded(StoredJob stored) {
		Job job = stored.job();
		if (!job.errors().isEmpty()) {
			JobError error = job.errors().get(job.errors().size() - 1);
			this.events.publish(new JobEvent.RetryExhausted(job, job.attempt(), stored.maxAttempts(), error));
			this.events.publish(new JobEvent.DeadLettered(job, job.attempt(), stored.maxAttempts(), error));
		}
	}

}
