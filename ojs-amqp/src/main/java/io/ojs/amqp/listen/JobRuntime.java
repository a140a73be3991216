package io.ojs.amqp.listen;

import java.time.Clock;

import io.ojs.amqp.message.JobMessages;
import io.ojs.trace.JobTracing;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.middleware.ExecutionChain;

/**
 * What it takes to run a job that a message brought.
 *
 * @param messages reads it
 * @param handlers work it
 * @param retryPolicies say what becomes of it if it fails
 * @param supervision watches over it meanwhile
 * @param events is told what happens to it
 * @param tracing makes a span of it
 * @param chain is around its handler
 * @param clock tells the time
 */
public record JobRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies,
		Supervision supervision, JobEvents events, JobTracing tracing, ExecutionChain chain, Clock clock) {
}
