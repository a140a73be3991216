package io.ojs.event.internal;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads the newest events of all processes as they are written. Unlike
 * {@link io.ojs.event.EventFeed} it orders nothing, and so reads nothing older and locks
 * nothing; events appear in the order of their commits.
 */
public interface EventTail {

	/**
	 * Returns the number of the newest row.
	 * @return the number; 0 if there is none
	 */
	long end();

	/**
	 * Reads rows after a number. A row with a lower number can appear later, when its
	 * transaction commits.
	 * @param limit how many rows at most
	 * @return the rows, the oldest first
	 */
	List<Row> after(long seq, int limit);

	/**
	 * Reads rows that were missing.
	 * @param seqs their numbers
	 * @return those that are there now
	 */
	List<Row> at(Collection<Long> seqs);

	/**
	 * Events that were written together.
	 *
	 * @param tenant the tenant that they belong to; {@code null} without a tenant
	 */
	record Row(long seq, @Nullable String tenant, List<Event> events) {
	}

	/**
	 * One event.
	 *
	 * @param type such as {@code job.completed}
	 * @param subject the id of the job, or the name of the queue
	 * @param queue the queue
	 */
	record Event(String type, String subject, String queue) {
	}

}
