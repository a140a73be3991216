package io.ojs.handler.internal;

import java.time.Duration;
import java.util.function.Function;

import io.ojs.job.Job;

/**
 * Finds how long an attempt may take: the timeout of the job overrides that of its
 * handler, which overrides that of the queue.
 */
public final class Timeouts {

	/** The timeout where none is set: 30 minutes. */
	public static final Duration DEFAULT = Duration.ofMinutes(30);

	private final Function<String, Duration> ofQueue;

	public Timeouts(Function<String, Duration> ofQueue) {
		this.ofQueue = ofQueue;
	}

	/** The timeout of each attempt of a job. */
	public Duration of(Job job, JobHandlerDefinition handler) {
		if (job.timeout() != null && !job.timeout().isZero()) {
			return job.timeout();
		}
		Duration ofHandler = handler.timeout();
		return (ofHandler != null) ? ofHandler : this.ofQueue.apply(job.queue());
	}

	/** The timeout of each attempt of a job whose handler is not in this application. */
	public Duration of(Job job) {
		return (job.timeout() != null && !job.timeout().isZero()) ? job.timeout() : this.ofQueue.apply(job.queue());
	}

}
