package io.ojs.handler;

import java.time.Duration;

import io.ojs.job.JobRules;
import io.ojs.job.VersionRange;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * A handler and the jobs that it is for.
 *
 * @param type the type of the jobs
 * @param versions the versions of the jobs
 * @param queue the queue that this application works for them
 * @param concurrency jobs of the queue at a time in this process; 0 for the queue's
 * default
 * @param timeout how long an attempt may take; {@code null} for the queue's default
 * @param retry what differs from the retry policy of the queue
 * @param handler the handler
 * @param origin where it was declared, for messages: {@code bean 'mailer', method send}
 */
public record JobHandlerDefinition(String type, VersionRange versions, String queue, int concurrency,
		@Nullable Duration timeout, RetryOverrides retry, JobHandler handler, String origin) {

	public JobHandlerDefinition {
		JobRules.type(type);
		JobRules.queue(queue);
	}

	/**
	 * Describes a handler for all versions of a type.
	 * @param type the type of the jobs
	 * @param queue the queue
	 * @param concurrency jobs of the queue at a time in this process; 0 for the default
	 * @param timeout how long an attempt may take; {@code null} for the queue's default
	 * @param retry what differs from the retry policy of the queue
	 * @param handler the handler
	 * @param origin where it was declared
	 */
	public JobHandlerDefinition(String type, String queue, int concurrency, @Nullable Duration timeout,
			RetryOverrides retry, JobHandler handler, String origin) {
		this(type, VersionRange.ALL, queue, concurrency, timeout, retry, handler, origin);
	}

	/**
	 * Describes a handler with the timeout of its queue, for all versions of a type.
	 * @param type the type of the jobs
	 * @param queue the queue
	 * @param concurrency jobs of the queue at a time in this process; 0 for the default
	 * @param retry what differs from the retry policy of the queue
	 * @param handler the handler
	 * @param origin where it was declared
	 */
	public JobHandlerDefinition(String type, String queue, int concurrency, RetryOverrides retry, JobHandler handler,
			String origin) {
		this(type, queue, concurrency, null, retry, handler, origin);
	}

	/** The same for other versions. */
	JobHandlerDefinition versions(VersionRange value) {
		return new JobHandlerDefinition(this.type, value, this.queue, this.concurrency, this.timeout, this.retry,
				this.handler, this.origin);
	}

	/** The same, worked in another way. */
	JobHandlerDefinition handler(JobHandler value) {
		return new JobHandlerDefinition(this.type, this.versions, this.queue, this.concurrency, this.timeout,
				this.retry, value, this.origin);
	}

}
