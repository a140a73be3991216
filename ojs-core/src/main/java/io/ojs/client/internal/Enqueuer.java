package io.ojs.client.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ojs.client.OjsOperations;
import io.ojs.internal.trace.JobSpan;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.middleware.JobDroppedException;

/**
 * Enqueues jobs: starts a span for each, creates the job from its request, and sends it.
 * Thread-safe.
 */
public final class Enqueuer implements PreparedJobs {

	private final JobFactory jobs;

	private final JobTracing tracing;

	private final EnqueueStrategy strategy;

	public Enqueuer(JobFactory jobs, JobTracing tracing, EnqueueStrategy strategy) {
		this.jobs = jobs;
		this.tracing = tracing;
		this.strategy = strategy;
	}

	/** Enqueues a job, like {@link OjsOperations#enqueue(JobRequest)}. */
	public Job enqueue(JobRequest request) {
		try {
			return this.strategy.enqueue(traced(request, this.jobs::create));
		}
		catch (JobDroppedException ex) {
			return ex.job();
		}
	}

	/**
	 * Enqueues many jobs, like {@link OjsOperations#enqueueAll}.
	 * @return the jobs as they were enqueued, in the same order
	 */
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		return sendAll(requests, this.jobs::create);
	}

	@Override
	public List<Job> enqueueAgain(Collection<JobRequest> requests) {
		return sendAll(requests, this.jobs::again);
	}

	/**
	 * Enqueues a job without waiting, like
	 * {@link OjsOperations#enqueueAsync(JobRequest)}.
	 * @return the job as it was enqueued, once it is safe
	 */
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		try {
			return this.strategy.enqueueAsync(traced(request, this.jobs::create));
		}
		catch (JobDroppedException ex) {
			return CompletableFuture.completedFuture(ex.job());
		}
	}

	/** Creates all jobs before it sends the first, so an invalid one prevents all. */
	private List<Job> sendAll(Collection<JobRequest> requests, Function<JobRequest, EncodedJob> making) {
		List<TracedJob> batch = new ArrayList<>(requests.size());
		Map<Integer, Job> dropped = new HashMap<>();
		try {
			for (JobRequest request : requests) {
				try {
					batch.add(traced(request, making));
				}
				catch (JobDroppedException ex) {
					dropped.put(batch.size() + dropped.size(), ex.job());
				}
			}
		}
		catch (Throwable ex) {
			batch.forEach((job) -> {
				job.span().failed(ex);
				job.span().close();
			});
			throw ex;
		}
		List<Job> sent = batch.isEmpty() ? List.of() : this.strategy.enqueueAll(batch);
		return dropped.isEmpty() ? sent : inOrder(sent.iterator(), dropped, requests.size());
	}

	private static List<Job> inOrder(Iterator<Job> sent, Map<Integer, Job> dropped, int size) {
		return IntStream.range(0, size).mapToObj((i) -> dropped.containsKey(i) ? dropped.get(i) : sent.next()).toList();
	}

	private TracedJob traced(JobRequest request, Function<JobRequest, EncodedJob> making) {
		JobSpan span = this.tracing.enqueue(request.type());
		try {
			EncodedJob encoded = within(span, request, making);
			span.about(encoded.job());
			return new TracedJob(encoded, span);
		}
		catch (Throwable ex) {
			if (ex instanceof JobDroppedException dropped) {
				// A dropped job is not a failure.
				span.about(dropped.job());
			}
			else {
				span.failed(ex);
			}
			span.close();
			throw ex;
		}
	}

	private static EncodedJob within(JobSpan span, JobRequest request, Function<JobRequest, EncodedJob> making) {
		JobSpan.Scope scope = span.current();
		try {
			return making.apply(request);
		}
		finally {
			scope.close();
		}
	}

}
