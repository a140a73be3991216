package io.ojs.jdbc.internal;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Crons on H2.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class H2CronTests {

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
	class Single extends CronContract {

		@Override
		TestStores database() {
			return H2CronTests.stores;
		}

	}

	@Nested
	class Rules extends CronRulesContract {

		@Override
		TestStores database() {
			return H2CronTests.stores;
		}

	}

	@Nested
	class Limits extends CronLimitsContract {

		@Override
		TestStores database() {
			return H2CronTests.stores;
		}

	}

	@Nested
	class Secrets extends CronSecretsContract {

		@Override
		TestStores database() {
			return H2CronTests.stores;
		}

	}

	@Nested
	class Together extends CronsTogetherContract {

		@Override
		TestStores database() {
			return H2CronTests.stores;
		}

	}

}
