package io.ojs.jdbc.internal;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Queues on H2.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class H2QueueTests {

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
	class Life extends QueueContract {

		@Override
		TestStores database() {
			return H2QueueTests.stores;
		}

	}

	@Nested
	class Limits extends QueueLimitsContract {

		@Override
		TestStores database() {
			return H2QueueTests.stores;
		}

	}

	@Nested
	class Why extends WhyContract {

		@Override
		TestStores database() {
			return H2QueueTests.stores;
		}

	}

}
