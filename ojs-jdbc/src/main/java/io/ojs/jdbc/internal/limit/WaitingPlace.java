package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.jdbc.internal.SqlTimes;

import org.springframework.jdbc.core.RowMapper;

/**
 * The place of a job among those that wait for a key.
 *
 * @param rank as in {@link JobRow#blockedRank}, the lower first
 * @param priority the priority of the job, the higher first
 * @param since when the job came
 * @param id distinguishes jobs that came at the same time
 */
record WaitingPlace(int rank, int priority, Instant since, UUID id) implements Comparable<WaitingPlace> {

	/** The order in which jobs that wait are let through. */
	static final String IN_TURN = " order by blocked_rank, priority desc, enqueued_at, id ";

	/** Reads places. The parameter is the key. */
	static final String SQL = "select blocked_rank, priority, enqueued_at, id from ojs_job where blocked_by = ?"
			+ RateLimits.NOT_PAUSED + IN_TURN;

	static final RowMapper<WaitingPlace> MAPPER = (row, index) -> new WaitingPlace(row.getInt("blocked_rank"),
			row.getInt("priority"), SqlTimes.instant(row, "enqueued_at"), row.getObject("id", UUID.class));

	/** The place of a job that waits, but that the query did not find. */
	static final WaitingPlace BEFORE_ALL = new WaitingPlace(Integer.MIN_VALUE, 0, Instant.MIN, new UUID(0, 0));

	private static final Comparator<WaitingPlace> ORDER = Comparator.comparingInt(WaitingPlace::rank)
		.thenComparing(Comparator.comparingInt(WaitingPlace::priority).reversed())
		.thenComparing(WaitingPlace::since)
		.thenComparing(WaitingPlace::id);

	@Override
	public int compareTo(WaitingPlace other) {
		return ORDER.compare(this, other);
	}

}
