package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.ojs.engine.JobRow;
import io.ojs.engine.Transitions;
import io.ojs.job.JobState;
import io.ojs.store.HandOverStore;

/**
 * Ends jobs in a database that belong to the broker from now on.
 */
public final class JdbcHandOverStore implements HandOverStore {

	private final StoreDatabase database;

	/**
	 * Creates the store.
	 * @param database where jobs are kept
	 */
	public JdbcHandOverStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void handOver(String queue, Collection<String> jobIds, Instant now) {
		this.database.write("hand jobs over to the broker", () -> handOver(this.database.jobs()
			// Others are not to be published again because one is locked.
			.lockFree(JobRows.ids(jobIds), true)
			.values()
			.stream()
			.filter((row) -> row.queue.equals(queue) && isOnlyAtBroker(row, now))
			.toList(), now));
	}

	/** What is to be published again since has another message to come. */
	private static boolean isOnlyAtBroker(JobRow row, Instant now) {
		boolean relayed = row.relayAt == null || row.relayAt.isAfter(now.plus(JdbcRelayStore.SKEW))
				|| (row.run == 0 && row.replays == 0 && !row.hasPlaces && row.heldAt == null);
		return relayed && row.state == JobState.AVAILABLE && row.heldUntil == null && row.blockedBy == null;
	}

	@Override
	public int handOverPublished(String queue, Instant now, int limit) {
		return this.database.write("hand jobs over to the broker", () -> handOver(this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES + " from ojs_job where state = 'available' and queue = ? "
					+ "and relay_at is null and blocked_by is null and (held_back is null or held_back = false) "
					+ "and held_until is null order by id limit ? for update skip locked", JobRows.ALL, queue, limit),
				now));
	}

	private int handOver(List<JobRow> rows, Instant now) {
		Transitions transitions = this.database.transitions(now);
		rows.forEach(transitions::handOver);
		this.database.save(transitions);
		return rows.size();
	}

}
