package io.ojs.handler;

import java.time.Duration;
import java.util.function.Function;

import io.ojs.job.Job;

/**
 * How long an attempt may take: what the job says, or its handler, or its queue.
 */
public final class Timeouts {

	/** What counts where nobody says anything: 30 minutes. */
	public static final Duration DEFAULT = Duration.ofMinutes(30);

	private final Function<String, Duration> ofQueue;

	/**
	 * Creates the layers.
	 * @param ofQueue the timeout of a queue, by its name
	 */
	public Timeouts(Function<String, Duration> ofQueue) {
		this.ofQueue = ofQueue;
	}

	/**
	 * The timeout of a job's attempts.
	 * @param job the job
	 * @param handler its handler
	 * @return longer than zero
	 */
	public Duration of(Job job, JobHandlerDefinition handler) {
		if (job.timeout() != null && !job.timeout().isZero()) {
			return job.timeout();
		}
		Duration ofHandler = handler.timeout();
		return (ofHandler != null) ? ofHandler : this.ofQueue.apply(job.queue());
	}

	/**
	 * The timeout of a job's attempts, whose handler is not of this application.
	 * @param job the job
	 * @return longer than zero
	 */
	public Duration of(Job job) {
		return (job.timeout() != null && !job.timeout().isZero()) ? job.timeout() : this.ofQueue.apply(job.queue());
	}

}
