package io.ojs.jdbc.internal;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the rows of jobs that a PostgreSQL server reads, in whichever way, by its own
 * counters. It has to be asked on the connection that reads them.
 */
final class TableReads {

	/** The server begins to reuse plans after ten executions. */
	static final int REPETITIONS = 15;

	/** Far more than any of them needs, far less than it takes to look at all. */
	private static final long MOST_ROWS = 3_000;

	private final JdbcTemplate jdbc;

	TableReads(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Does something again and again, and looks what was read for it.
	 */
	void assertFew(String what, Runnable work) {
		assertFew(what, MOST_ROWS, work);
	}

	/**
	 * Does something again and again, and looks what was read for it.
	 * @param mostRows how many rows may be read each time
	 */
	void assertFew(String what, long mostRows, Runnable work) {
		Count before = count();
		for (int i = 0; i < REPETITIONS; i++) {
			work.run();
		}
		Count after = count();
		assertThat(after.scans() - before.scans()).as("sequential scans by '%s'", what).isZero();
		assertThat((after.rows() - before.rows()) / REPETITIONS).as("rows read by '%s'", what)
			.isLessThanOrEqualTo(mostRows);
	}

	Count count() {
		this.jdbc.execute("select pg_stat_force_next_flush()");
		this.jdbc.execute("select pg_stat_clear_snapshot()");
		Count count = this.jdbc.queryForObject("select t.seq_scan, t.seq_tup_read + (select sum(i.idx_tup_read) "
				+ "from pg_stat_user_indexes i where i.relid = t.relid) from pg_stat_user_tables t "
				+ "where t.relname = 'ojs_job'", (row, index) -> new Count(row.getLong(1), row.getLong(2)));
		assertThat(count).isNotNull();
		return count;
	}

	/**
	 * What was read of the table.
	 *
	 * @param scans how often it was read from one end to the other
	 * @param rows how many rows, in whichever way
	 */
	record Count(long scans, long rows) {
	}

}
