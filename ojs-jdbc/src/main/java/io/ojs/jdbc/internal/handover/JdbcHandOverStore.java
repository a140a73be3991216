package io.ojs.jdbc.internal.handover;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.JobState;
import io.ojs.store.internal.relay.HandOverStore;

/**
 * Hands jobs over from a database to the broker: they end in the store.
 */
public final class JdbcHandOverStore implements HandOverStore {

	private final StoreDatabase database;

	public JdbcHandOverStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void handOver(Map<String, Instant> jobs, Instant now) {
		Map<UUID, Instant> untils = JobRows.times(jobs);
		this.database.write("hand jobs over to the broker", () -> handOver(this.database.jobs()
			// If this waited for one locked row, the relay could publish the others
			// again.
			.lockFree(untils.keySet(), true)
			.values()
			.stream()
			.filter((row) -> row.state == JobState.AVAILABLE && row.relayAt != null
					&& row.relayAt.equals(untils.get(row.id)))
			.toList(), now));
	}

	@Override
	public int handOverPublished(String queue, Instant now, int limit) {
		return this.database.write("hand jobs over to the broker", () -> handOver(this.database.jdbc()
			.query("select " + JobColumn.ALL_NAMES
					+ " from ojs_job where ended_at is null and state = 'available' and queue = ? "
					+ "and relay_at is null and blocked_by is null and (awaits_turn is null or awaits_turn = false) "
					+ "and worker_wait_until is null order by id limit ? for update skip locked", JobRows.ALL, queue,
					limit),
				now));
	}

	private int handOver(List<JobRow> rows, Instant now) {
		Transitions transitions = this.database.transitions(now);
		rows.forEach(transitions::handOver);
		this.database.save(transitions);
		return rows.size();
	}

}
