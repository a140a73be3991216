package io.ojs.benchmark.contender;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;

/**
 * Rows of jobs, written by hand: as few columns as do, an index of what is open, and a
 * transaction for each step of one job or of a group.
 */
final class JobRows implements AutoCloseable {

	/** How many rows at most change in one transaction, where they are grouped. */
	static final int GROUP = 50;

	private static final String SCHEMA = """
			CREATE TABLE bench_job (
			  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			  state text NOT NULL,
			  payload bytea NOT NULL
			);
			CREATE INDEX bench_job_open ON bench_job (state) WHERE state <> 'completed'
			""";

	private final HikariDataSource database;

	JobRows(Site site) throws SQLException {
		this.database = Databases.pool(site);
		Databases.create(this.database, "bench_job", SCHEMA);
	}

	long insert(byte[] payload) throws SQLException {
		try (Connection connection = this.database.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("INSERT INTO bench_job (state, payload) VALUES ('available', ?) RETURNING id")) {
			statement.setBytes(1, payload);
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				return row.getLong(1);
			}
		}
	}

	/** The ids are in the order of the payloads. */
	long[] insert(List<byte[]> payloads) throws SQLException {
		try (Connection connection = this.database.getConnection();
				PreparedStatement statement = connection.prepareStatement(
						"INSERT INTO bench_job (state, payload) SELECT 'available', unnest(?::bytea[]) RETURNING id")) {
			Array array = connection.createArrayOf("bytea", payloads.toArray(byte[][]::new));
			statement.setArray(1, array);
			long[] ids = new long[payloads.size()];
			try (ResultSet rows = statement.executeQuery()) {
				for (int i = 0; rows.next(); i++) {
					ids[i] = rows.getLong(1);
				}
			}
			return ids;
		}
	}

	void set(String state, long id) throws SQLException {
		try (Connection connection = this.database.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("UPDATE bench_job SET state = ? WHERE id = ?")) {
			statement.setString(1, state);
			statement.setLong(2, id);
			changed(statement.executeUpdate(), 1);
		}
	}

	void set(String state, Long[] ids) throws SQLException {
		try (Connection connection = this.database.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("UPDATE bench_job SET state = ? WHERE id = ANY (?)")) {
			statement.setString(1, state);
			statement.setArray(2, connection.createArrayOf("bigint", ids));
			changed(statement.executeUpdate(), ids.length);
		}
	}

	private static void changed(int rows, int expected) {
		if (rows != expected) {
			throw new IllegalStateException(rows + " of " + expected + " rows were there");
		}
	}

	/** Waits until every row is completed. */
	void settle() throws Exception {
		Settled.await("no row is open", () -> Databases.answer(this.database,
				"SELECT NOT EXISTS (SELECT FROM bench_job WHERE state <> 'completed')"));
	}

	@Override
	public void close() {
		this.database.close();
	}

}
