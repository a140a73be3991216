package io.ojs.test.jobs;

import io.ojs.client.JobFactory;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.handler.Timeouts;
import io.ojs.middleware.ExecutionChain;

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
