package io.ojs.jdbc;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contracts of the stores on PostgreSQL.
 */
@EnabledIfSystemProperty(named = "ojs.test.postgres.url", matches = ".+")
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresStoreTests {

	private static TestStores stores;

	@BeforeAll
	static void open() {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(System.getProperty("ojs.test.postgres.url"));
		config.setUsername("ojs");
		stores = new TestStores(config);
	}

	@AfterAll
	static void close() {
		stores.close();
	}

	@Nested
	class Jobs extends JobStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Attempts extends AttemptStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Relay extends RelayStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Transactions extends StoreTransactionsContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

}
