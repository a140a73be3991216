package io.ojs.handler;

import io.ojs.job.JobRules;
import io.ojs.retry.RetryOverrides;

/**
 * A handler and the jobs that it is for.
 *
 * @param type the type of the jobs
 * @param queue the queue that this application works for them
 * @param concurrency jobs of the queue at a time in this process; 0 for the queue's
 * default
 * @param retry what differs from the retry policy of the queue
 * @param handler the handler
 * @param origin where it was declared, for messages: {@code bean 'mailer', method send}
 */
public record JobHandlerDefinition(String type, String queue, int concurrency, RetryOverrides retry, JobHandler handler,
		String origin) {

	public JobHandlerDefinition {
		JobRules.type(type);
		JobRules.queue(queue);
	}

}
