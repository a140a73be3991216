package io.ojs.jdbc.internal;

import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Workflows on PostgreSQL.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresWorkflowTests {

	private static PostgresDatabase database;

	private static TestStores stores;

	@BeforeAll
	static void open() {
		database = PostgresServer.shared().newDatabase();
		stores = new TestStores(TestStores.of(database));
	}

	@AfterAll
	static void close() {
		stores.close();
		database.close();
	}

	@Nested
	class Kept extends WorkflowContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

	@Nested
	class Killed extends WorkflowCrashContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

	@Nested
	class InTrouble extends WorkflowTroubleContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

	@Nested
	class Rules extends WorkflowRulesContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

	@Nested
	class Events extends WorkflowEventsContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

	@Nested
	class WhyNotEnqueued extends WhyOfWorkflowsContract {

		@Override
		TestStores database() {
			return PostgresWorkflowTests.stores;
		}

	}

}
