package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.engine.JobRow;
import io.ojs.engine.Times;
import io.ojs.job.JobState;

/**
 * Leases of processes: a run is its process's until {@code lease_until}, and after that
 * for as long as the process was seen within a time that is as long as the lease was at
 * first.
 */
public final class ProcessLeases {

	/**
	 * Of runs whose {@code lease_until} is over. Of the present and the time of the
	 * database, the earlier one counts: the second may have jumped since the first was
	 * read. Its parameter is the present.
	 */
	static final String PROCESS_IS_GONE = "(lease_ms is not null or not exists (select 1 from ojs_process p "
			+ "where p.id = worker and p.seen_at + (lease_until - started_at) >= least(?, current_timestamp)))";

	private final StoreDatabase database;

	/**
	 * Creates it.
	 * @param database where the processes are
	 */
	public ProcessLeases(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Gives runs whose lease is over the end that it has since their process was seen.
	 * @param rows jobs in any state
	 * @param now the present
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
		// As above.
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
