package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.StoreTransactions;

/**
 * Enqueues jobs by inserting them in the caller's transaction, or in a new one. After the
 * commit, {@link DirectPublisher} publishes them at once, or the {@link Relay} later.
 * After a rollback the jobs do not exist.
 */
public final class Outbox {

	private final JobStore store;

	private final StoreTransactions transactions;

	private final Admission admission;

	private final CommittedJobs committed;

	private final Cancellations cancellations;

	private final JobEvents events;

	private final Clock clock;

	private final EnqueueBatcher batcher;

	/**
	 * Creates an outbox.
	 * @param admission decides whether they may be enqueued
	 * @param committed publishes jobs after the commit
	 */
	public Outbox(JobStore store, StoreTransactions transactions, Admission admission, CommittedJobs committed,
			Cancellations cancellations, JobEvents events, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.admission = admission;
		this.committed = committed;
		this.cancellations = cancellations;
		this.events = events;
		this.clock = clock;
		this.batcher = new EnqueueBatcher(store, transactions, admission, committed, clock);
	}

	/**
	 * Keeps all jobs, or none of them.
	 * @param headers the headers beside each envelope, in the same order
	 * @return the jobs as they are kept, in the same order; instead of a unique job that
	 * is ignored or merged, the existing one
	 * @throws JobNotStoredException if the database did not keep them; its cause is a
	 * {@link DuplicateIdException} if one of their ids is taken
	 * @throws DuplicateJobException if a unique job meets another one, and its policy
	 * says {@code reject}
	 */
	public List<Job> enqueue(List<EncodedJob> jobs, List<Map<String, String>> headers) {
		this.admission.authorize(jobs);
		if (jobs.size() == 1 && this.batcher.take(jobs.get(0))) {
			EnqueueBatcher.Single single = this.batcher.keep(jobs.get(0), headers.get(0));
			return committed(List.of(single.created()), List.of(single.insertion()));
		}
		try {
			return this.admission.patiently(this.transactions.isActive(),
					() -> this.transactions.inTransaction(() -> keep(jobs, headers)));
		}
		catch (StoreException ex) {
			throw new JobNotStoredException(atFault(jobs, ex), ex);
		}
	}

	/**
	 * Returns the job that the failure is about; the first one, unless an id is taken.
	 */
	private static Job atFault(List<EncodedJob> jobs, StoreException failure) {
		String id = (failure instanceof DuplicateIdException duplicate) ? duplicate.jobId() : null;
		return jobs.stream()
			.map(EncodedJob::job)
			.filter((job) -> job.id().equals(id))
			.findFirst()
			.orElse(jobs.get(0).job());
	}

	private List<Job> keep(List<EncodedJob> jobs, List<Map<String, String>> headers) {
		Admission.Decision decision = this.admission.lock(jobs);
		Instant now = this.clock.instant();
		List<NewJob> created = new ArrayList<>(jobs.size());
		for (int i = 0; i < jobs.size(); i++) {
			created.add(this.committed.prepare(jobs.get(i), headers.get(i), now));
		}
		return committed(created, this.store.insert(created, decision));
	}

	private List<Job> committed(List<NewJob> created, List<Insertion> insertions) {
		List<Job> kept = new ArrayList<>(created.size());
		List<NewJob> inserted = new ArrayList<>(created.size());
		for (int i = 0; i < created.size(); i++) {
			kept.add(kept(created.get(i), insertions.get(i), inserted));
		}
		this.transactions.afterCommit(() -> {
			this.committed.accept(inserted);
			for (int i = 0; i < created.size(); i++) {
				if (insertions.get(i) instanceof Insertion.Inserted insertion) {
					if (insertion.waits()) {
						this.committed.acceptInTurn(created.get(i));
					}
					insertion.replaced().forEach(this.cancellations::tell);
					this.events.enqueued(created.get(i).encoded().job());
				}
			}
		});
		return kept;
	}

	private static Job kept(NewJob job, Insertion insertion, List<NewJob> inserted) {
		if (insertion instanceof Insertion.Ignored ignored) {
			return ignored.existing().job();
		}
		if (insertion instanceof Insertion.Merged merged) {
			return merged.updated().job();
		}
		if (insertion instanceof Insertion.Rejected rejected) {
			throw duplicate(job.encoded(), rejected.existing().job());
		}
		// A relay publishes a job that is held back when its turn comes.
		if (!(insertion instanceof Insertion.Inserted kept && kept.waits())) {
			inserted.add(job);
		}
		return job.encoded().job();
	}

	private static DuplicateJobException duplicate(EncodedJob job, Job existing) {
		return new DuplicateJobException(job.job(), existing.id(),
				Objects.requireNonNullElse(existing.state(), JobState.AVAILABLE),
				Objects.requireNonNullElse(job.uniqueKey(), ""));
	}

}
