package io.ojs.amqp.internal.topology;

import java.util.Map;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.QueueKind;
import io.ojs.job.internal.JobRules;
import io.ojs.queue.Delivery;
import io.ojs.retry.RetryPolicy;

/**
 * How the application declares and works an OJS queue.
 *
 * @param name the OJS queue
 * @param kind type of its AMQP queue
 * @param deliveryLimit how often the broker delivers a job that no worker settles before
 * it moves the job to the dead letter queue; quorum queues only
 * @param arguments further arguments of its AMQP queue, such as {@code x-max-length};
 * they override those of this library
 * @param concurrency jobs at a time in one process; 0 for the concurrency of its
 * handlers, or {@link #DEFAULT_CONCURRENCY} if they have none
 * @param prefetch jobs that each consumer or thread may hold at a time, the running one
 * included; 1 or more
 * @param retry the retry policy where neither the job nor its handler sets one
 * @param ordering the order in which its jobs run
 * @param shards the number of its shards if it is ordered by key
 * @param delivery how its jobs get from the job store to workers, if there is a store
 */
public record QueueSettings(String name, QueueKind kind, int deliveryLimit, Map<String, Object> arguments,
		int concurrency, int prefetch, RetryPolicy retry, Ordering ordering, int shards, Delivery delivery) {

	/** Default of {@link #deliveryLimit}, the same as in RabbitMQ 4 and later. */
	public static final int DEFAULT_DELIVERY_LIMIT = 20;

	/** Concurrency if neither the queue nor its handlers set one. */
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
	 * Creates the settings of a queue without an order.
	 * @param deliveryLimit how often the broker delivers a job that no worker settles
	 * @param concurrency jobs at a time in one process, or 0
	 * @param prefetch jobs that each consumer or thread may hold at a time
	 */
	public QueueSettings(String name, QueueKind kind, int deliveryLimit, Map<String, Object> arguments, int concurrency,
			int prefetch, RetryPolicy retry) {
		this(name, kind, deliveryLimit, arguments, concurrency, prefetch, retry, Ordering.NONE, DEFAULT_SHARDS,
				Delivery.BROKER);
	}

	/** The settings of a queue that has no configuration. */
	public static QueueSettings defaults(String name) {
		return new QueueSettings(name, QueueKind.QUORUM, DEFAULT_DELIVERY_LIMIT, Map.of(), 0, DEFAULT_PREFETCH,
				RetryPolicy.DEFAULT);
	}

	/**
	 * Whether the length of the queue is limited.
	 * @return whether it has a maximum number of messages or bytes
	 */
	public boolean isLimited() {
		return this.arguments.containsKey("x-max-length") || this.arguments.containsKey("x-max-length-bytes");
	}

}
