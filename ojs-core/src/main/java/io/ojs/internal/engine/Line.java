package io.ojs.internal.engine;

import java.time.Instant;
import java.util.List;

/**
 * The jobs of queues that one worker can run, in the order in which it gets them.
 * Excludes rows that another transaction has locked.
 */
public interface Line {

	/**
	 * Locks scheduled and retryable jobs of a queue that are due.
	 * @return the rows, in the order of their due times
	 */
	List<JobRow> due(String queue, Instant now, int most);

	/**
	 * Locks the next available jobs of a queue.
	 * @return the rows, in their order; empty if no free row is left
	 */
	List<JobRow> next(String queue, int most);

	/** Notes that the worker gets a job. */
	default void taken(JobRow row) {
	}

}
