package io.ojs.jdbc.internal;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Webhooks on PostgreSQL.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresWebhookTests {

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
	class Subscriptions extends WebhookContract {

		@Override
		TestStores database() {
			return PostgresWebhookTests.stores;
		}

	}

	@Nested
	class Dispatch extends WebhookDispatchContract {

		@Override
		TestStores database() {
			return PostgresWebhookTests.stores;
		}

	}

	@Nested
	class Burden extends WebhookBurdenContract {

		@Override
		TestStores database() {
			return PostgresWebhookTests.stores;
		}

	}

}
