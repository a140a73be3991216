package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

import javax.sql.DataSource;

import io.ojs.store.StoreException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * The tables of the job store: {@code schema-postgresql.sql} and {@code schema-h2.sql}
 * beside this class.
 */
public final class StoreSchema {

	/**
	 * Any number that nobody else uses: two instances create tables one after another.
	 */
	private static final long LOCK = 0x6f6a735f6a6f62L;

	private final DataSource dataSource;

	/**
	 * Creates the schema of a database.
	 * @param dataSource leads to the database
	 */
	public StoreSchema(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Creates the tables and indexes that are missing.
	 * @throws UnsupportedDatabaseException if jobs cannot be kept in this database
	 * @throws StoreException if it fails
	 */
	public void create() {
		try {
			new JdbcTemplate(this.dataSource).execute((ConnectionCallback<Void>) StoreSchema::create);
		}
		catch (DataAccessException ex) {
			throw StoreFailures.translate("create the tables of the job store", ex);
		}
	}

	/**
	 * Looks whether jobs can be kept in this database, and changes nothing.
	 * @throws UnsupportedDatabaseException if they cannot
	 * @throws StoreException if it cannot be asked
	 */
	public void check() {
		try {
			new JdbcTemplate(this.dataSource).execute((ConnectionCallback<Dialect>) Dialect::of);
		}
		catch (DataAccessException ex) {
			throw StoreFailures.translate("ask the database of the job store which one it is", ex);
		}
	}

	private static Void create(Connection connection) throws SQLException {
		Dialect dialect = Dialect.of(connection);
		boolean lock = dialect == Dialect.POSTGRESQL;
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator(new ClassPathResource(
				"schema-%s.sql".formatted(dialect.name().toLowerCase(Locale.ROOT)), StoreSchema.class));
		populator.setSqlScriptEncoding("UTF-8");
		boolean autoCommit = connection.getAutoCommit();
		// A pool may hand out connections that wait for a commit.
		connection.setAutoCommit(true);
		try (Statement statement = connection.createStatement()) {
			if (lock) {
				statement.execute("select pg_advisory_lock(" + LOCK + ")");
			}
			try {
				populator.populate(connection);
			}
			finally {
				if (lock) {
					statement.execute("select pg_advisory_unlock(" + LOCK + ")");
				}
			}
		}
		finally {
			connection.setAutoCommit(autoCommit);
		}
		return null;
	}

}
