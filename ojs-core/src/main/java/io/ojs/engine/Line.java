package io.ojs.engine;

import java.time.Instant;
import java.util.List;

/**
 * The jobs that one worker can run, in the order in which it gets them. Rows that another
 * transaction has locked are left out.
 */
public interface Line {

	/**
	 * Locks jobs of a queue whose time has come, scheduled ones and retries.
	 * @param queue the OJS queue
	 * @param now the present
	 * @param most how many at most
	 * @return the rows, those first that were due first
	 */
	List<JobRow> due(String queue, Instant now, int most);

	/**
	 * Locks the next available jobs of a queue.
	 * @param queue the OJS queue
	 * @param most how many at most
	 * @return the rows, in their order; none if there are none that are free
	 */
	List<JobRow> next(String queue, int most);

	/**
	 * Notes that the worker gets a job.
	 * @param row its row
	 */
	default void taken(JobRow row) {
	}

}
