package io.ojs.test.jobs.internal;

import io.ojs.client.internal.JobFactory;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.test.jobs.SettableClock;

/**
 * The components that create and work jobs: those of the application, if it has its own.
 *
 * @param factory creates jobs from requests
 * @param handlers the handlers
 * @param retryPolicies the retry policies of jobs
 * @param timeouts the timeouts of attempts
 * @param chain the middleware around each attempt
 * @param events receives the events of jobs
 * @param clock the clock, which the factory uses as well
 */
public record TestRuntime(JobFactory factory, JobHandlers handlers, RetryPolicies retryPolicies, Timeouts timeouts,
		ExecutionChain chain, JobEvents events, SettableClock clock) {
}
