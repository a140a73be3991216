package io.ojs.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.ojs.amqp.connect.ConnectionState;
import io.ojs.amqp.observe.OpenConnection;
import io.ojs.amqp.topology.Drift;
import org.jspecify.annotations.Nullable;

/**
 * How jobs are, as this process sees it and as the broker says. Numbers that only the
 * broker knows are {@code null} where it did not tell.
 *
 * @param at when it was made
 * @param broker the broker, and the connections to it
 * @param queues the queues that this application knows
 * @param retryQueues where retries wait, of those that it used since it started
 * @param delayLevels where scheduled jobs wait, if it used them since it started
 * @param deadLetters where jobs are that failed for good
 * @param drift what the broker has with other arguments than this application wants
 */
public record JobsReport(Instant at, Broker broker, List<Queue> queues, List<Waiting> retryQueues,
		List<Waiting> delayLevels, List<DeadLetters> deadLetters, List<Drift> drift) {

	/**
	 * The broker.
	 *
	 * @param reachable whether it answered all that it was asked
	 * @param problem why not
	 * @param connections the two that jobs use: how they are, since when, what went wrong
	 * @param open all that are open, and to which broker
	 * @param channels how many channels are open
	 */
	public record Broker(boolean reachable, @Nullable String problem, List<ConnectionState> connections,
			List<OpenConnection> open, int channels) {
	}

	/**
	 * A queue.
	 *
	 * @param name the OJS queue
	 * @param amqpQueue its AMQP queue
	 * @param kind type of its AMQP queue
	 * @param messages jobs that wait for a worker
	 * @param consumers consumers of all processes
	 * @param worker how this process works it, if it does
	 */
	public record Queue(String name, String amqpQueue, String kind, @Nullable Long messages, @Nullable Long consumers,
			@Nullable Worker worker) {
	}

	/**
	 * How this process works a queue.
	 *
	 * @param types the types that it has handlers for
	 * @param concurrency consumers that it is to have
	 * @param prefetch jobs that each of them may hold in advance
	 * @param consumers consumers that are at the queue now
	 * @param running jobs whose handlers run now
	 */
	public record Worker(List<String> types, int concurrency, int prefetch, int consumers, List<Running> running) {
	}

	/**
	 * A job whose handler runs.
	 *
	 * @param id the job
	 * @param type its type
	 * @param attempt the attempt, from 1
	 * @param since when its handler was called
	 * @param lastHeartbeat when it last said that it is alive, or {@code null}
	 */
	public record Running(String id, String type, int attempt, Instant since, @Nullable Instant lastHeartbeat) {
	}

	/**
	 * An AMQP queue whose messages wait until their time is over.
	 *
	 * @param queue the OJS queue that they go to, or {@code null} if that differs
	 * @param amqpQueue its name on the broker
	 * @param delay how long they wait at most
	 * @param messages how many wait
	 */
	public record Waiting(@Nullable String queue, String amqpQueue, @Nullable Duration delay, @Nullable Long messages) {
	}

	/**
	 * The dead letters of a queue.
	 *
	 * @param queue the OJS queue that they come from
	 * @param amqpQueue where they are
	 * @param messages how many
	 */
	public record DeadLetters(@Nullable String queue, String amqpQueue, @Nullable Long messages) {
	}

}
