package io.ojs.boot.it;

import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Databases on PostgreSQL that have the tables of the job store. The migrations run once
 * in a JVM, and each database is a copy of the one that they ran on: to migrate each
 * would take longer than many a test.
 */
public final class StoreDatabases {

	private static final ReentrantLock lock = new ReentrantLock();

	/** It ends with its server. PostgreSQL copies it while no session uses it. */
	private static @Nullable PostgresDatabase migrated;

	private StoreDatabases() {
	}

	/**
	 * Creates a database as if it had just been migrated: with an id of its own, and with
	 * the times of now.
	 * @return the database, to be closed when it is no longer needed
	 */
	public static PostgresDatabase create() {
		PostgresDatabase database = PostgresServer.shared().newDatabase(migrated());
		new JdbcTemplate(connections(database)).batchUpdate("update ojs_store set id = gen_random_uuid()",
				"update ojs_queue set created_at = current_timestamp, updated_at = current_timestamp",
				"update ojs_schema set applied_at = current_timestamp");
		return database;
	}

	private static PostgresDatabase migrated() {
		lock.lock();
		try {
			PostgresDatabase database = migrated;
			if (database == null) {
				database = PostgresServer.shared().newDatabase();
				new StoreSchema(connections(database)).migrate();
				migrated = database;
			}
			return database;
		}
		finally {
			lock.unlock();
		}
	}

	/** Each of them is closed after its use. */
	private static DataSource connections(PostgresDatabase database) {
		return new DriverManagerDataSource(database.url(), database.username(), database.password());
	}

}
