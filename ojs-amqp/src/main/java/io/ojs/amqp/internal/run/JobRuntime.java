package io.ojs.amqp.internal.run;

import java.time.Clock;

import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.trace.JobTracing;
import io.ojs.middleware.internal.ExecutionChain;

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
