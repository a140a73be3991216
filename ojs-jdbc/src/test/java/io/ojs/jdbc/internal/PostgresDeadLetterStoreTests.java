package io.ojs.jdbc.internal;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Dead letters on PostgreSQL.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresDeadLetterStoreTests {

	private static PostgresDatabase postgres;

	private static TestStores stores;

	@BeforeAll
	static void open() {
		postgres = PostgresServer.shared().newDatabase();
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(postgres.url());
		config.setUsername(postgres.username());
		config.setPassword(postgres.password());
		stores = new TestStores(config);
	}

	@AfterAll
	static void close() {
		stores.close();
		postgres.close();
	}

	@Nested
	class Found extends FoundDeadLettersContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Counted extends DeadLetterFacetsContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

	@Nested
	class InOperations extends BulkOperationContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Kept extends KeptDeadLettersContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Replayed extends ReplayContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

	@Nested
	class ReplayedInBulk extends BulkReplayContract {

		@Override
		TestStores database() {
			return PostgresDeadLetterStoreTests.stores;
		}

	}

}
