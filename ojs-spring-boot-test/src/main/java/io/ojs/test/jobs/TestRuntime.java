package io.ojs.test.jobs;

import io.ojs.client.JobFactory;
import io.ojs.event.JobEvents;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.handler.Timeouts;
import io.ojs.middleware.ExecutionChain;

/**
 * What jobs are made by and worked with: that of the application, where it has one.
 *
 * @param factory makes jobs out of requests
 * @param handlers the handlers
 * @param retryPolicies what becomes of those that fail
 * @param timeouts how long an attempt may take
 * @param chain what is around each attempt
 * @param events hears of what happens
 * @param clock the clock, by which the factory goes too
 */
public record TestRuntime(JobFactory factory, JobHandlers handlers, RetryPolicies retryPolicies, Timeouts timeouts,
		ExecutionChain chain, JobEvents events, SettableClock clock) {
}
