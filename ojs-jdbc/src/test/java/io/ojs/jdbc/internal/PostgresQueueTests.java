package io.ojs.jdbc.internal;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Queues on PostgreSQL.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresQueueTests {

	private static TestStores stores;

	private static PostgresDatabase database;

	@BeforeAll
	static void open() {
		HikariConfig config = new HikariConfig();
		database = PostgresServer.shared().newDatabase();
		config.setJdbcUrl(database.url());
		config.setUsername(database.username());
		config.setPassword(database.password());
		stores = new TestStores(config);
	}

	@AfterAll
	static void close() {
		stores.close();
		database.close();
	}

	@Nested
	class Life extends QueueContract {

		@Override
		TestStores database() {
			return PostgresQueueTests.stores;
		}

	}

	@Nested
	class Limits extends QueueLimitsContract {

		@Override
		TestStores database() {
			return PostgresQueueTests.stores;
		}

	}

	@Nested
	class Why extends WhyContract {

		@Override
		TestStores database() {
			return PostgresQueueTests.stores;
		}

	}

}
