package io.ojs.amqp.listen;

import java.time.Clock;

import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.trace.JobTracing;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.tenant.Tenants;

/**
 * What it takes to run a job that a message brought.
 *
 * @param messages reads it
 * @param handlers work it
 * @param retryPolicies say what becomes of it if it fails
 * @param supervision watches over it meanwhile
 * @param events is told what happens to it
 * @param tracing makes a span of it
 * @param tenants is told for whom it is
 * @param clock tells the time
 */
public record JobRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies,
		Supervision supervision, JobEvents events, JobTracing tracing, Tenants tenants, Clock clock) {
}
