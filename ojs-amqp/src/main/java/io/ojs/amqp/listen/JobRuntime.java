package io.ojs.amqp.listen;

import java.time.Clock;

import io.ojs.amqp.message.JobMessages;
import io.ojs.trace.JobTracing;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.middleware.ExecutionChain;

/**
 * What a worker needs to run jobs.
 *
 * @param messages reads jobs from messages
 * @param handlers the handlers
 * @param retryPolicies the retry policies of jobs
 * @param supervision watches over attempts
 * @param events tells listeners what happens to jobs
 * @param tracing creates spans
 * @param chain the middleware around handlers
 * @param clock tells the time
 */
public record JobRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies,
		Supervision supervision, JobEvents events, JobTracing tracing, ExecutionChain chain, Clock clock) {
}
