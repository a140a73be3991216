package io.ojs.jdbc.internal;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Dead letters on H2.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class H2DeadLetterStoreTests {

	private static TestStores stores;

	@BeforeAll
	static void open() {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()));
		stores = new TestStores(config);
	}

	@AfterAll
	static void close() {
		stores.close();
	}

	@Nested
	class Found extends FoundDeadLettersContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Counted extends DeadLetterFacetsContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

	@Nested
	class InOperations extends BulkOperationContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Kept extends KeptDeadLettersContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

	@Nested
	class Replayed extends ReplayContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

	@Nested
	class ReplayedInBulk extends BulkReplayContract {

		@Override
		TestStores database() {
			return H2DeadLetterStoreTests.stores;
		}

	}

}
