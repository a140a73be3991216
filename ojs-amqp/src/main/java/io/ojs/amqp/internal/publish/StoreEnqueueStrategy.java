package io.ojs.amqp.internal.publish;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.ojs.OjsException;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.client.EnqueueException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.TracedJob;
import io.ojs.internal.trace.JobSpan;
import io.ojs.job.Job;
import io.ojs.store.internal.relay.Outbox;

/**
 * Enqueues jobs by inserting them into a job store, in the caller's transaction if there
 * is one. They are published after the commit, and the broker need not be reachable.
 * Either all jobs of a call are enqueued or none.
 */
public final class StoreEnqueueStrategy implements EnqueueStrategy {

	private final Outbox outbox;

	private final JobMessages messages;

	/**
	 * Creates a strategy.
	 * @param messages builds the properties that AMQP must be able to carry
	 */
	public StoreEnqueueStrategy(Outbox outbox, JobMessages messages) {
		this.outbox = outbox;
		this.messages = messages;
	}

	@Override
	public Job enqueue(TracedJob job) {
		return enqueueAll(List.of(job)).get(0);
	}

	@Override
	public List<Job> enqueueAll(List<TracedJob> traced) {
		List<JobSpan> spans = traced.stream().map(TracedJob::span).toList();
		List<EncodedJob> jobs = traced.stream().map(TracedJob::encoded).toList();
		try {
			List<Map<String, String>> headers = spans.stream().map(JobSpan::headers).toList();
			for (int i = 0; i < jobs.size(); i++) {
				// Check before the insert: later there is no caller to inform.
				SendableMessages.check(jobs.get(i).job(), this.messages.properties(jobs.get(i), headers.get(i)));
			}
			return this.outbox.enqueue(jobs, headers);
		}
		catch (OjsException ex) {
			spans.forEach((span) -> span.failed(ex));
			throw ex;
		}
		finally {
			spans.forEach(JobSpan::close);
		}
	}

	/**
	 * Runs on the caller's thread, which may have a transaction. The job belongs to that
	 * transaction and is safe after its commit.
	 */
	@Override
	public CompletableFuture<Job> enqueueAsync(TracedJob job) {
		try {
			return CompletableFuture.completedFuture(enqueue(job));
		}
		catch (EnqueueException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
