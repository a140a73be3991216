package io.ojs.store.relay;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

import io.ojs.client.JobControl;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.JobStore;
import io.ojs.store.StoreTransactions;
import io.ojs.store.StoredJob;

/**
 * Asks the job store about jobs, and the workers where it does not know them.
 */
public final class StoreJobControl implements JobControl {

	private final JobStore store;

	private final StoreTransactions transactions;

	private final CommittedJobs committed;

	private final JobControl workers;

	private final Cancellations cancellations;

	private final Clock clock;

	/**
	 * Creates it.
	 * @param store knows jobs
	 * @param transactions tell when what it was told counts
	 * @param committed publishes jobs that were activated
	 * @param workers know jobs that the store does not
	 * @param cancellations tells of each job that is cancelled
	 * @param clock tells the time
	 */
	public StoreJobControl(JobStore store, StoreTransactions transactions, CommittedJobs committed, JobControl workers,
			Cancellations cancellations, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.committed = committed;
		this.workers = workers;
		this.cancellations = cancellations;
		this.clock = clock;
	}

	/** A job that has ended is left as it is, as it is without a store. */
	@Override
	public void cancel(String queue, String jobId) {
		try {
			if (cancel(jobId).isEmpty()) {
				this.workers.cancel(queue, jobId);
			}
		}
		catch (IllegalStateTransitionException ex) {
			// Nobody is told: without a store, nobody could say that it had ended.
			return;
		}
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		Optional<Job> found = find(jobId);
		return found.isPresent() ? found : this.workers.find(queue, jobId);
	}

	@Override
	public Optional<Job> find(String jobId) {
		return this.store.find(jobId).map(StoredJob::described);
	}

	@Override
	public Optional<Job> cancel(String jobId) {
		Optional<StoredJob> before = this.store.cancel(jobId, this.clock.instant());
		before.ifPresent((stored) -> this.transactions.afterCommit(() -> this.cancellations.tell(stored)));
		return before.map((stored) -> stored.job().toBuilder().state(JobState.CANCELLED).build());
	}

	@Override
	public Optional<Job> activate(String jobId) {
		Instant now = this.clock.instant();
		Optional<Job> activated = this.store.activate(jobId, now, now).map(StoredJob::job);
		activated.ifPresent((job) -> this.transactions.afterCommit(this.committed::wake));
		return activated;
	}

}
