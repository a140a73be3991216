package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.job.JobState;

/**
 * Leases of processes. A run belongs to its process until {@code lease_until}. After that
 * it belongs to the process as long as the process was seen within the original length of
 * the lease.
 */
public final class ProcessLeases {

	/**
	 * Condition on runs whose {@code lease_until} has passed: their process was not seen
	 * for the length of the lease, or a worker over HTTP runs them, which has no process.
	 * The parameter is the present. If the time of the database is earlier, that counts:
	 * the database's clock may have jumped since the present was read.
	 */
	static final String PROCESS_IS_GONE = "(lease_ms is not null or not exists (select 1 from ojs_process p "
			+ "where p.id = worker and p.seen_at + (lease_until - started_at) >= least(?, current_timestamp)))";

	private final StoreDatabase database;

	public ProcessLeases(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Extends leases that are over to the end that they have since their process was last
	 * seen.
	 * @param rows the rows of jobs in any state
	 */
	public void extend(Collection<JobRow> rows, Instant now) {
		List<JobRow> over = rows.stream().filter((row) -> isOver(row, now)).toList();
		if (over.isEmpty()) {
			return;
		}
		Map<String, Instant> seen = new HashMap<>();
		Instant[] time = { now };
		this.database.jdbc()
			.query("select id, seen_at, current_timestamp as now from ojs_process where id = any(?)",
					Dialect.texts(new ArrayList<>(over.stream().map((row) -> row.worker).distinct().toList())),
					(row) -> {
						seen.put(row.getString("id"), SqlTimes.instant(row, "seen_at"));
						time[0] = SqlTimes.instant(row, "now");
					});
		// As in PROCESS_IS_GONE, the earlier of the two times counts.
		Duration jumped = Duration.between(time[0], now);
		for (JobRow row : over) {
			Instant at = seen.get(row.worker);
			if (at != null && row.leaseUntil != null && row.startedAt != null) {
				Instant until = at.plus(Duration.between(row.startedAt, row.leaseUntil));
				row.leaseUntil = Times.micros(jumped.isNegative() ? until : until.plus(jumped));
			}
		}
	}

	private static boolean isOver(JobRow row, Instant now) {
		return row.state == JobState.ACTIVE && row.leaseMillis == null && row.worker != null && row.leaseUntil != null
				&& row.leaseUntil.isBefore(now);
	}

}
