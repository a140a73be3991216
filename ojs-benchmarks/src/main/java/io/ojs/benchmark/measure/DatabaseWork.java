package io.ojs.benchmark.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Site;

/**
 * What PostgreSQL has done up to a moment, as it counts it, and how often this process
 * has waited for its answers.
 *
 * @param roundTrips to the database, of this process
 * @param transactions that were committed, in the database of the site
 * @param inserted rows, in all tables
 * @param updated rows, in all tables
 * @param hot those of the updated rows that needed no entry in an index
 * @param deleted rows, in all tables
 * @param wal bytes of the write-ahead log, in all databases
 */
record DatabaseWork(long roundTrips, long transactions, long inserted, long updated, long hot, long deleted, long wal) {

	/** Of a contender without a database. */
	static final DatabaseWork NONE = new DatabaseWork(0, 0, 0, 0, 0, 0, 0);

	private static final String QUESTION = """
			select (select xact_commit from pg_stat_database where datname = current_database()),
				sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_hot_upd), sum(n_tup_del),
				pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')
			from pg_stat_user_tables
			""";

	/** A process of the server that is idle tells its numbers after ten seconds. */
	private static final long SETTLED_SECONDS = 12;

	static DatabaseWork now(Site site) throws SQLException, InterruptedException {
		long roundTrips = CountedSockets.roundTrips();
		TimeUnit.SECONDS.sleep(SETTLED_SECONDS);
		try (Connection connection = DriverManager.getConnection(site.databaseUrl(), site.username(), site.password());
				Statement statement = connection.createStatement();
				ResultSet answer = statement.executeQuery(QUESTION)) {
			answer.next();
			return new DatabaseWork(roundTrips, answer.getLong(1), answer.getLong(2), answer.getLong(3),
					answer.getLong(4), answer.getLong(5), answer.getLong(6));
		}
	}

	/**
	 * What was done since, for each job; nothing if there is no database.
	 * @param before the beginning
	 * @param jobs how many jobs
	 * @param figures gets the figures
	 */
	void since(DatabaseWork before, long jobs, Map<String, Double> figures) {
		if (before == NONE) {
			return;
		}
		figures.put("db.round.trips", (this.roundTrips - before.roundTrips) / (double) jobs);
		figures.put("db.transactions", (this.transactions - before.transactions) / (double) jobs);
		figures.put("db.inserted", (this.inserted - before.inserted) / (double) jobs);
		figures.put("db.updated", (this.updated - before.updated) / (double) jobs);
		figures.put("db.updated.hot", (this.hot - before.hot) / (double) jobs);
		figures.put("db.deleted", (this.deleted - before.deleted) / (double) jobs);
		figures.put("db.wal.kb", (this.wal - before.wal) / 1024.0 / jobs);
	}

}
