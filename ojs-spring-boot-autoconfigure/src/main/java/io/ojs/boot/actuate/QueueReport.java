package io.ojs.boot.actuate;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.amqp.topology.Drift;
import io.ojs.retry.RetryPolicy;

/**
 * How one queue is.
 *
 * @param at when the report was made
 * @param broker the broker, and the connections to it
 * @param name the OJS queue
 * @param queues its AMQP queues; one, unless it is worked in parts
 * @param arguments arguments of its AMQP queues beyond those that every queue has
 * @param retry what becomes of its jobs if they fail and nobody says otherwise
 * @param retryQueues where its retries wait, of those that were used since the start
 * @param deadLetters where its jobs are that failed for good
 * @param drift what the broker has with other arguments than this application wants
 */
public record QueueReport(Instant at, JobsReport.Broker broker, String name, List<JobsReport.Queue> queues,
		Map<String, Object> arguments, RetryPolicy retry, List<JobsReport.Waiting> retryQueues,
		List<JobsReport.DeadLetters> deadLetters, List<Drift> drift) {
}
