package io.ojs.jdbc.internal.schema;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import javax.sql.DataSource;

import io.ojs.internal.log.SafeLogger;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.StoreFailures;
import io.ojs.store.StoreException;
import io.ojs.store.UnsupportedDatabaseException;
import org.slf4j.Logger;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The tables of the job store and their migrations, the scripts in
 * {@code migration/postgresql} and {@code migration/h2} beside this class. Each migration
 * records itself in the table {@code ojs_schema}, so this class, Flyway or a person can
 * run it.
 */
public final class StoreSchema {

	/**
	 * All migrations in their order. The number of a migration is its place in this list,
	 * from 1.
	 */
	public static final List<String> MIGRATIONS = List.of("V1__baseline", "V2__events_together", "V3__marks",
			"V4__names", "V5__operators");

	private static final Logger logger = SafeLogger.of(StoreSchema.class);

	/**
	 * Number of the advisory lock that makes instances migrate one after another. No
	 * other application uses it.
	 */
	private static final long LOCK = 0x6f6a735f6a6f62L;

	private final DataSource dataSource;

	public StoreSchema(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Runs the migrations that the database lacks, in their order. On PostgreSQL each is
	 * a transaction, and any number of instances may do so at the same time. H2 commits
	 * each change of a table: if a migration is interrupted there, the database has to be
	 * created anew.
	 * @throws UnsupportedDatabaseException if the database is not supported
	 * @throws StoreException if a migration fails; the migrations before it stay applied
	 */
	public void migrate() {
		execute("migrate the tables of the job store", StoreSchema::migrate);
	}

	/**
	 * Finds the migrations that the database lacks, and changes nothing.
	 * @return their places on the class path, in their order; empty if the tables are as
	 * this version of the library needs them
	 * @throws UnsupportedDatabaseException if the database is not supported
	 * @throws StoreException if the database cannot be asked
	 */
	public List<String> missing() {
		return execute("ask which migrations the tables of the job store have", (connection) -> {
			String folder = folder(Dialect.of(connection));
			return missing(connection).stream().map((name) -> "io/ojs/jdbc/" + folder + name + ".sql").toList();
		});
	}

	/**
	 * Finds the migrations that a newer version of the library has run, and changes
	 * nothing.
	 * @return their numbers, in their order
	 * @throws StoreException if the database cannot be asked
	 */
	public List<Integer> unknown() {
		return execute("ask which migrations the tables of the job store have", (
				connection) -> applied(connection).stream().filter((one) -> one > MIGRATIONS.size()).sorted().toList());
	}

	private <T> T execute(String what, ConnectionCallback<T> callback) {
		try {
			return new JdbcTemplate(this.dataSource).execute(callback);
		}
		catch (DataAccessException ex) {
			throw StoreFailures.translate(what, ex, false);
		}
	}

	private static String folder(Dialect dialect) {
		return "migration/%s/".formatted(dialect.name().toLowerCase(Locale.ROOT));
	}

	private static List<String> missing(Connection connection) throws SQLException {
		Set<Integer> applied = applied(connection);
		return MIGRATIONS.stream().filter((name) -> !applied.contains(MIGRATIONS.indexOf(name) + 1)).toList();
	}

	private static Set<Integer> applied(Connection connection) throws SQLException {
		Set<Integer> versions = new HashSet<>();
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("select version from ojs_schema")) {
			while (rows.next()) {
				versions.add(rows.getInt(1));
			}
		}
		catch (SQLException ex) {
			if (!StoreFailures.isMissingTable(ex)) {
				throw ex;
			}
		}
		return versions;
	}

	private static Boolean migrate(Connection connection) throws SQLException {
		Dialect dialect = Dialect.of(connection);
		boolean autoCommit = connection.getAutoCommit();
		// A pool may hand out connections that do not commit by themselves.
		connection.setAutoCommit(true);
		try (Statement statement = connection.createStatement()) {
			if (dialect == Dialect.POSTGRESQL) {
				statement.execute("select pg_advisory_lock(" + LOCK + ")");
			}
			try {
				for (String name : missing(connection)) {
					run(connection, folder(dialect) + name + ".sql");
					logger.info("The tables of the job store have migration {}", name);
				}
			}
			finally {
				if (dialect == Dialect.POSTGRESQL) {
					statement.execute("select pg_advisory_unlock(" + LOCK + ")");
				}
			}
		}
		finally {
			connection.setAutoCommit(autoCommit);
		}
		return true;
	}

	private static void run(Connection connection, String script) throws SQLException {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator(
				new ClassPathResource("io/ojs/jdbc/" + script));
		populator.setSqlScriptEncoding("UTF-8");
		connection.setAutoCommit(false);
		try {
			populator.populate(connection);
			connection.commit();
		}
		catch (RuntimeException | SQLException ex) {
			connection.rollback();
			throw ex;
		}
		finally {
			connection.setAutoCommit(true);
		}
	}

}
