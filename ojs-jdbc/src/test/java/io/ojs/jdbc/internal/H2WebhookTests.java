package io.ojs.jdbc.internal;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Webhooks on H2.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class H2WebhookTests {

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
	class Subscriptions extends WebhookContract {

		@Override
		TestStores database() {
			return H2WebhookTests.stores;
		}

	}

	@Nested
	class Dispatch extends WebhookDispatchContract {

		@Override
		TestStores database() {
			return H2WebhookTests.stores;
		}

	}

	@Nested
	class Burden extends WebhookBurdenContract {

		@Override
		TestStores database() {
			return H2WebhookTests.stores;
		}

	}

}
