package io.ojs.store.relay;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.EncodedJob;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.Admission;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.Insertion;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.JobStore;
import io.ojs.store.NewJob;
import io.ojs.store.StoreException;
import io.ojs.store.StoreTransactions;

/**
 * Enqueues jobs by keeping them in the caller's transaction, or in one of their own. What
 * was committed is published at once by {@link DirectPublisher}, and otherwise by the
 * {@link Relay}; what was rolled back never was.
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
	 * @param store keeps jobs
	 * @param transactions what they are kept in
	 * @param admission decides whether they may be enqueued
	 * @param committed what becomes of them after the commit
	 * @param cancellations tells of each job that is replaced
	 * @param events is told of each job that was committed
	 * @param clock tells the time
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
	 * Keeps jobs: all of them, or none.
	 * @param jobs the jobs, at least one
	 * @param headers what travels beside each of them, in the same order
	 * @return the jobs as they are kept, in the same order; instead of a unique one, the
	 * one that it met
	 * @throws JobNotStoredException if the database did not take them; its cause is a
	 * {@link DuplicateIdException} if one of their ids is taken
	 * @throws DuplicateJobException if a unique one met another whose policy refuses it
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

	/** Nobody knows which one of a batch it was, unless its id is taken. */
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
					if (insertion.heldBack()) {
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
		// Others are published by relays when it is their turn.
		if (!(insertion instanceof Insertion.Inserted kept && kept.heldBack())) {
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
