package io.ojs.test.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.client.EnqueueStrategy;
import io.ojs.client.TracedJob;
import io.ojs.event.JobEvents;
import io.ojs.event.JobTransition;
import io.ojs.event.Transition;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.Insertion;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoredJob;

/**
 * Keeps jobs in memory, as a job store would: all of them, or none.
 */
final class KeepingStrategy implements EnqueueStrategy {

	private final KeptJobs jobs;

	private final TestRuntime runtime;

	private final TestTransactions transactions;

	KeepingStrategy(KeptJobs jobs, TestRuntime runtime, TestTransactions transactions) {
		this.jobs = jobs;
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
		KeptJobs.Inserted inserted = insert(encoded);
		List<Insertion> insertions = inserted.insertions();
		List<Job> kept = new ArrayList<>(encoded.size());
		for (int i = 0; i < encoded.size(); i++) {
			kept.add(kept(encoded.get(i), insertions.get(i)));
		}
		this.transactions.afterEnd(() -> tell(encoded, insertions), () -> this.jobs.undo(inserted));
		return kept;
	}

	private void tell(List<EncodedJob> encoded, List<Insertion> insertions) {
		for (int i = 0; i < encoded.size(); i++) {
			if (insertions.get(i) instanceof Insertion.Inserted inserted) {
				inserted.replaced().forEach((before) -> tellCancelled(before, this.runtime.events()));
				this.runtime.events().enqueued(encoded.get(i).job());
			}
		}
	}

	private KeptJobs.Inserted insert(List<EncodedJob> encoded) {
		try {
			return this.jobs.insert(encoded, this.runtime.clock().instant());
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

	private static Job kept(EncodedJob encoded, Insertion insertion) {
		if (insertion instanceof Insertion.Ignored ignored) {
			return ignored.existing().job();
		}
		if (insertion instanceof Insertion.Merged merged) {
			return merged.updated().job();
		}
		if (insertion instanceof Insertion.Rejected rejected) {
			Job existing = rejected.existing().job();
			throw new DuplicateJobException(encoded.job(), existing.id(),
					Objects.requireNonNullElse(existing.state(), JobState.AVAILABLE),
					Objects.requireNonNullElse(encoded.uniqueKey(), ""));
		}
		return encoded.job();
	}

	/** Of one that runs it is told when its handler has ended. */
	static void tellCancelled(StoredJob before, JobEvents events) {
		Job job = before.job();
		if (job.state() != JobState.ACTIVE) {
			events.publish(new JobTransition(Transition.CANCEL, job, job.attempt() + 1, before.maxAttempts()));
		}
	}

}
