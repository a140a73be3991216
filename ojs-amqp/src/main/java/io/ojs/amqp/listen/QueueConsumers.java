package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What works a queue in this process, or a part of one, until it is stopped for good.
 */
interface QueueConsumers {

	/**
	 * Starts.
	 * @param patience how long to wait for the broker at most; {@code null} for as long
	 * as usual
	 */
	void start(@Nullable Duration patience);

	/**
	 * Has it run so many jobs at a time.
	 * @throws IllegalArgumentException if that is not allowed
	 */
	void concurrency(int consumers);

	/** How many jobs it can run at a time now. */
	int active();

	/** Whether it works. */
	boolean isRunning();

	/** The queues at the broker that it consumes from. */
	List<String> amqpQueues();

	/**
	 * Takes no more jobs. What it holds in advance goes back. Waits for nothing.
	 * @param patience how long jobs may go on that run
	 * @param ended called when none runs any more, or the time is over
	 */
	void stop(Duration patience, Runnable ended);

}
