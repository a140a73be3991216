package io.ojs.test.jobs.internal;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.EnqueueException;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.TracedJob;
import io.ojs.internal.engine.MemoryJobStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.test.jobs.JobFailedInlineException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs, then at once runs those that are available, on the caller's thread.
 */
final class InlineStrategy implements EnqueueStrategy {

	/** Deeper than a test intends, and not so deep that the stack overflows. */
	private static final int MAX_DEPTH = 50;

	private final KeepingStrategy keeping;

	private final MemoryJobStore store;

	private final JobRunner runner;

	private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

	InlineStrategy(KeepingStrategy keeping, MemoryJobStore store, JobRunner runner) {
		this.keeping = keeping;
		this.store = store;
		this.runner = runner;
	}

	@Override
	public Job enqueue(TracedJob job) {
		return enqueueAll(List.of(job)).get(0);
	}

	@Override
	public List<Job> enqueueAll(List<TracedJob> traced) {
		List<Job> kept = this.keeping.enqueueAll(traced);
		JobFailedInlineException first = null;
		for (Job job : kept) {
			JobFailedInlineException failure = run(job);
			if (first == null) {
				first = failure;
			}
			else if (failure != null) {
				first.addSuppressed(failure);
			}
		}
		if (first != null) {
			throw first;
		}
		return kept;
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(TracedJob job) {
		try {
			return CompletableFuture.completedFuture(enqueue(job));
		}
		catch (EnqueueException | JobFailedInlineException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private @Nullable JobFailedInlineException run(Job enqueued) {
		Job job = this.store.find(enqueued.id()).map(StoredJob::job).orElse(null);
		if (job == null || job.state() != JobState.AVAILABLE || !this.runner.takes(job)) {
			return null;
		}
		int outer = this.depth.get();
		if (outer == MAX_DEPTH) {
			throw new EndlessJobsError("%d jobs have enqueued one another, the last one is of type '%s'."
				.formatted(outer, enqueued.type()));
		}
		this.depth.set(outer + 1);
		try {
			JobRunner.Ran ran = this.runner.run(job);
			return (ran == null || ran.failure() == null) ? null
					: new JobFailedInlineException(now(job), Objects.requireNonNull(ran.failure()));
		}
		finally {
			if (outer == 0) {
				this.depth.remove();
			}
			else {
				this.depth.set(outer);
			}
		}
	}

	private Job now(Job job) {
		return this.store.find(job.id()).map(StoredJob::job).orElse(job);
	}

}
