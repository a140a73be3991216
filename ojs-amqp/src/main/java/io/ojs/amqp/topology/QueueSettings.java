package io.ojs.amqp.topology;

import java.util.Map;

import io.ojs.amqp.order.Ordering;
import io.ojs.job.JobRules;
import io.ojs.queue.Delivery;
import io.ojs.retry.RetryPolicy;

/**
 * How an OJS queue is declared and worked.
 *
 * @param name the OJS queue
 * @param kind type of its AMQP queue
 * @param deliveryLimit how often the broker hands out a job that nobody settles before it
 * goes to the dead letter queue; quorum queues only
 * @param arguments further arguments of its AMQP queue, such as {@code x-max-length};
 * they win over those of this library
 * @param concurrency jobs at a time in one process; 0 for what its handlers say, or
 * {@link #DEFAULT_CONCURRENCY}
 * @param prefetch jobs that each of them may hold in advance, 1 or more
 * @param retry the retry policy of jobs and handlers that say nothing
 * @param ordering the order in which its jobs run
 * @param shards the number of its shards if it is ordered by key
 * @param delivery how its jobs get from the job store to workers, if there is a store
 */
public record QueueSettings(String name, QueueKind kind, int deliveryLimit, Map<String, Object> arguments,
		int concurrency, int prefetch, RetryPolicy retry, Ordering ordering, int shards, Delivery delivery) {

	/** Default of {@link #deliveryLimit}; that of RabbitMQ 4 and later. */
	public static final int DEFAULT_DELIVERY_LIMIT = 20;

	/** What counts where neither the queue nor its handlers say a concurrency. */
	public static final int DEFAULT_CONCURRENCY = 5;

	/** Default of {@link #prefetch}. */
	public static final int DEFAULT_PREFETCH = 10;

	/** Default of {@link #shards}. */
	public static final int DEFAULT_SHARDS = 8;

	public QueueSettings {
		JobRules.queue(name);
		arguments = Map.copyOf(arguments);
	}

	/**
	 * The settings of a queue without an order.
	 * @param name the OJS queue
	 * @param kind type of its AMQP queue
	 * @param deliveryLimit how often the broker hands out a job that nobody settles
	 * @param arguments further arguments of its AMQP queue
	 * @param concurrency jobs at a time in one process, or 0
	 * @param prefetch jobs that each of them may hold in advance
	 * @param retry the retry policy
	 */
	public QueueSettings(String name, QueueKind kind, int deliveryLimit, Map<String, Object> arguments, int concurrency,
			int prefetch, RetryPolicy retry) {
		this(name, kind, deliveryLimit, arguments, concurrency, prefetch, retry, Ordering.NONE, DEFAULT_SHARDS,
				Delivery.BROKER);
	}

	/**
	 * The settings of a queue about which nobody says anything.
	 * @param name the OJS queue
	 * @return the settings
	 */
	public static QueueSettings defaults(String name) {
		return new QueueSettings(name, QueueKind.QUORUM, DEFAULT_DELIVERY_LIMIT, Map.of(), 0, DEFAULT_PREFETCH,
				RetryPolicy.DEFAULT);
	}

	/**
	 * Whether the queue can be full.
	 * @return whether it has a greatest length
	 */
	public boolean isLimited() {
		return this.arguments.containsKey("x-max-length") || this.arguments.containsKey("x-max-length-bytes");
	}

}
