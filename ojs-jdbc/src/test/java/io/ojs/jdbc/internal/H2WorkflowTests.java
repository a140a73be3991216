package io.ojs.jdbc.internal;

import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * Workflows on H2.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class H2WorkflowTests {

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
	class Kept extends WorkflowContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

	@Nested
	class Killed extends WorkflowCrashContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

	@Nested
	class InTrouble extends WorkflowTroubleContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

	@Nested
	class Rules extends WorkflowRulesContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

	@Nested
	class Events extends WorkflowEventsContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

	@Nested
	class WhyNotEnqueued extends WhyOfWorkflowsContract {

		@Override
		TestStores database() {
			return H2WorkflowTests.stores;
		}

	}

}
