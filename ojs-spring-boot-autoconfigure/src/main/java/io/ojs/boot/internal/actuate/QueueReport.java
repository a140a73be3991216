package io.ojs.boot.internal.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.internal.topology.Drift;
import io.ojs.retry.RetryPolicy;

/**
 * The state of one queue.
 *
 * @param at when the report was made
 * @param broker the broker, and the connections to it
 * @param name the OJS queue
 * @param queues its AMQP queues: one, and its shards if it is ordered by key
 * @param arguments arguments of its AMQP queues beyond those that every queue has
 * @param retry the retry policy of jobs and handlers without one of their own
 * @param retryQueues its retry queues that this process has used since its start
 * @param deadLetters its dead letter queues
 * @param drift exchanges and queues that exist with other arguments than this application
 * wants
 */
public record QueueReport(Instant at, JobsReport.Broker broker, String name, List<JobsReport.Queue> queues,
		Map<String, Object> arguments, RetryPolicy retry, List<JobsReport.Waiting> retryQueues,
		List<JobsReport.DeadLetters> deadLetters, List<Drift> drift) {
}
