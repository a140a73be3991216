package io.ojs.handler.internal;

import java.time.Duration;

import io.ojs.handler.JobHandler;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.JobRules;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A handler and the jobs that it works.
 *
 * @param type the type of the jobs
 * @param versions the versions of the jobs
 * @param queue the queue from which this application works them
 * @param concurrency how many jobs of the queue this process runs at a time; 0 for the
 * default of the queue
 * @param timeout how long an attempt may take; {@code null} for the default of the queue
 * @param retry the settings that differ from the retry policy of the queue
 * @param handler the handler
 * @param origin where the handler is declared, for messages:
 * {@code bean 'mailer', method send}
 */
public record JobHandlerDefinition(String type, VersionRange versions, String queue, int concurrency,
		@Nullable Duration timeout, RetryOverrides retry, JobHandler handler, String origin) {

	public JobHandlerDefinition {
		JobRules.type(type);
		JobRules.queue(queue);
	}

	/**
	 * Creates a definition for all versions of a type.
	 * @param concurrency how many jobs of the queue this process runs at a time; 0 for
	 * the default
	 * @param timeout how long an attempt may take; {@code null} for the default of the
	 * queue
	 */
	public JobHandlerDefinition(String type, String queue, int concurrency, @Nullable Duration timeout,
			RetryOverrides retry, JobHandler handler, String origin) {
		this(type, VersionRange.ALL, queue, concurrency, timeout, retry, handler, origin);
	}

	/**
	 * Creates a definition for all versions of a type, with the timeout of the queue.
	 * @param concurrency how many jobs of the queue this process runs at a time; 0 for
	 * the default
	 */
	public JobHandlerDefinition(String type, String queue, int concurrency, RetryOverrides retry, JobHandler handler,
			String origin) {
		this(type, queue, concurrency, null, retry, handler, origin);
	}

	JobHandlerDefinition versions(VersionRange value) {
		return new JobHandlerDefinition(this.type, value, this.queue, this.concurrency, this.timeout, this.retry,
				this.handler, this.origin);
	}

	JobHandlerDefinition handler(JobHandler value) {
		return new JobHandlerDefinition(this.type, this.versions, this.queue, this.concurrency, this.timeout,
				this.retry, value, this.origin);
	}

}
