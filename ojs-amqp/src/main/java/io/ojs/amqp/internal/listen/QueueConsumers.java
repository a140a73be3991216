package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Consumers that work a queue or a part of one in this process, until they are stopped
 * for good.
 */
interface QueueConsumers {

	/**
	 * Starts the consumers.
	 * @param patience how long to wait for the broker; {@code null} for the default
	 */
	void start(@Nullable Duration patience);

	/**
	 * Sets how many jobs run at a time.
	 * @throws IllegalArgumentException if the number is not allowed
	 */
	void concurrency(int consumers);

	/** How many jobs can run at a time now. */
	int active();

	boolean isRunning();

	/** The AMQP queues that they consume from. */
	List<String> amqpQueues();

	/**
	 * Takes no more jobs, and returns those that are prefetched. Does not block.
	 * @param patience how long running jobs may go on
	 * @param ended called when none runs any more, or when the patience is over
	 */
	void stop(Duration patience, Runnable ended);

}
