package io.ojs.boot.internal.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.amqp.internal.observe.OpenConnection;
import io.ojs.amqp.internal.topology.Drift;
import org.jspecify.annotations.Nullable;

/**
 * The state of connections, queues and jobs, as this process and the broker report it. A
 * number that only the broker knows is {@code null} if the broker did not report it.
 *
 * @param at when the report was made
 * @param broker the broker, and the connections to it
 * @param queues the queues that this application knows
 * @param retryQueues the retry queues that this process has used since its start
 * @param delayLevels the delay levels, if this process has used them since its start
 * @param deadLetters the dead letter queues
 * @param drift exchanges and queues that exist with other arguments than this application
 * wants
 */
public record JobsReport(Instant at, Broker broker, List<Queue> queues, List<Waiting> retryQueues,
		List<Waiting> delayLevels, List<DeadLetters> deadLetters, List<Drift> drift) {

	/**
	 * The broker.
	 *
	 * @param reachable whether the broker answered all questions
	 * @param problem why it did not, or {@code null}
	 * @param connections the two connections that jobs use: their state, since when, and
	 * their last failure
	 * @param open all open connections, and the broker that each leads to
	 */
	public record Broker(boolean reachable, @Nullable String problem, List<ConnectionState> connections,
			List<OpenConnection> open, int channels) {
	}

	/**
	 * A queue.
	 *
	 * @param messages the number of jobs that wait for a worker
	 * @param consumers the number of consumers, over all processes
	 * @param worker how this process works the queue, or {@code null} if it does not
	 */
	public record Queue(String name, String amqpQueue, String kind, @Nullable Long messages, @Nullable Long consumers,
			@Nullable Worker worker) {
	}

	/**
	 * How this process works a queue.
	 *
	 * @param types the types of jobs that it has handlers for
	 * @param concurrency the number of consumers that it is to have
	 * @param prefetch the number of jobs that each consumer may hold
	 * @param consumers the number of consumers that it has now
	 */
	public record Worker(List<String> types, int concurrency, int prefetch, int consumers, List<Running> running) {
	}

	/**
	 * A job whose handler runs.
	 *
	 * @param attempt the number of the attempt, from 1
	 * @param lastHeartbeat when the handler last sent a heartbeat, or {@code null}
	 */
	public record Running(String id, String type, int attempt, Instant since, @Nullable Instant lastHeartbeat) {
	}

	/**
	 * An AMQP queue whose messages wait for their time.
	 *
	 * @param queue the OJS queue that the messages go to, or {@code null} if they go to
	 * several
	 * @param delay the longest time that a message waits
	 */
	public record Waiting(@Nullable String queue, String amqpQueue, @Nullable Duration delay, @Nullable Long messages) {
	}

	/**
	 * The dead letters of a queue.
	 *
	 * @param queue the OJS queue that they come from
	 */
	public record DeadLetters(@Nullable String queue, String amqpQueue, @Nullable Long messages) {
	}

}
