package io.ojs.test.jobs.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.EnqueueException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.TracedJob;
import io.ojs.event.internal.JobTransition;
import io.ojs.internal.engine.MemoryJobStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;

/**
 * Keeps jobs in memory, like a job store: all jobs of a call, or none.
 */
final class KeepingStrategy implements EnqueueStrategy {

	private final MemoryJobStore store;

	private final TestRuntime runtime;

	private final TestTransactions transactions;

	KeepingStrategy(MemoryJobStore store, TestRuntime runtime, TestTransactions transactions) {
		this.store = store;
		this.runtime = runtime;
		this.transactions = transactions;
	}

	@Override
	public Job enqueue(TracedJob job) {
		return enqueueAll(List.of(job)).get(0);
	}

	@Override
	public List<Job> enqueueAll(List<TracedJob> traced) {
		try {
			return keep(traced.stream().map(TracedJob::encoded).toList());
		}
		finally {
			traced.forEach((job) -> job.span().close());
		}
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(TracedJob job) {
		try {
			return CompletableFuture.completedFuture(enqueue(job));
		}
		catch (EnqueueException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private List<Job> keep(List<EncodedJob> encoded) {
		MemoryJobStore.Written<List<Insertion>> written = this.store.writeUndoable(() -> insert(encoded));
		List<Insertion> insertions = written.result();
		List<Job> kept = new ArrayList<>(encoded.size());
		for (int i = 0; i < encoded.size(); i++) {
			kept.add(kept(encoded.get(i), insertions.get(i)));
		}
		this.transactions.afterEnd(() -> tell(written.told(), encoded, insertions), written.undo());
		return kept;
	}

	private void tell(List<JobTransition> told, List<EncodedJob> encoded, List<Insertion> insertions) {
		told.forEach(this.runtime.events()::publish);
		for (int i = 0; i < encoded.size(); i++) {
			if (insertions.get(i) instanceof Insertion.Inserted) {
				this.runtime.events().enqueued(encoded.get(i).job());
			}
		}
	}

	/** Inserts all jobs, or none if one is rejected. */
	private List<Insertion> insert(List<EncodedJob> encoded) {
		List<NewJob> jobs = encoded.stream().map((job) -> new NewJob(job, Map.of(), null, false)).toList();
		try {
			List<Insertion> insertions = this.store.insert(jobs);
			for (int i = 0; i < insertions.size(); i++) {
				if (insertions.get(i) instanceof Insertion.Rejected rejected) {
					throw duplicate(encoded.get(i), rejected);
				}
			}
			return insertions;
		}
		catch (DuplicateIdException ex) {
			Job taken = encoded.stream()
				.map(EncodedJob::job)
				.filter((job) -> job.id().equals(ex.jobId()))
				.findFirst()
				.orElse(encoded.get(0).job());
			throw new JobNotStoredException(taken, ex);
		}
	}

	private static DuplicateJobException duplicate(EncodedJob encoded, Insertion.Rejected rejected) {
		Job existing = rejected.existing().job();
		return new DuplicateJobException(encoded.job(), existing.id(),
				Objects.requireNonNullElse(existing.state(), JobState.AVAILABLE),
				Objects.requireNonNullElse(encoded.uniqueKey(), ""));
	}

	private static Job kept(EncodedJob encoded, Insertion insertion) {
		if (insertion instanceof Insertion.Ignored ignored) {
			return ignored.existing().job();
		}
		return (insertion instanceof Insertion.Merged merged) ? merged.updated().job() : encoded.job();
	}

}
