package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.ojs.client.internal.JobControl;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.StoreTransactions;

/**
 * Cancels, finds and activates jobs in the job store, and asks the workers about jobs
 * that the store does not know.
 */
public final class StoreJobControl implements JobControl {

	private final JobStore store;

	private final StoreTransactions transactions;

	private final CommittedJobs committed;

	private final JobControl workers;

	private final Cancellations cancellations;

	private final Clock clock;

	/**
	 * Creates the control.
	 * @param transactions run actions after the commit
	 * @param workers know jobs that the store does not know
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

	/** Cancels a job. A job that has ended stays as it is, as without a store. */
	@Override
	public void cancel(String queue, String jobId) {
		try {
			if (cancel(jobId).isEmpty()) {
				this.workers.cancel(queue, jobId);
			}
		}
		catch (IllegalStateTransitionException ex) {
			// Ignored: without a store, no worker could say that the job has ended.
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
	public List<Job> list(JobQuery query) {
		return this.store.list(query).stream().map(StoredJob::described).toList();
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
