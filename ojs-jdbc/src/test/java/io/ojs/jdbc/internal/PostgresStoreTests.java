package io.ojs.jdbc.internal;

import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The contracts of the stores on PostgreSQL.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class PostgresStoreTests {

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
	class Jobs extends JobStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Search extends JobSearchContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Labels extends JobLabelsContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class HandedOver extends HandOverContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Plain extends PlainRunsContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Shares extends FairSharesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class FetchTurns extends FetchTurnsContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class TenantJobs extends TenantContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class TenantLimits extends TenantLimitsContract {

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
	class LiveProcesses extends LiveProcessesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Claims extends ClaimContract {

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
	class RelayInOrder extends OrderedRelayContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Unique extends UniqueJobsContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Retention extends RetentionStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class LimitsInTrouble extends RateLimitTroubleContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Limits extends RateLimitContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Feed extends EventFeedContract {

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

	@Nested
	class Figures extends FigureStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Minutes extends MinuteStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Admin extends AdminStoreContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Fetches extends FetchContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class ProcessFetches extends ProcessFetchContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class FetchedQueues extends FetchedQueuesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Remote extends RemoteWorkersContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Lines extends WaitingLineContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class LimitEdges extends LimitEdgesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class LimitLines extends LimitLinesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class LimitRules extends RateLimitRulesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Versions extends VersionContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class RemoteRules extends RemoteRulesContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

	@Nested
	class Timelines extends TimelineContract {

		@Override
		TestStores database() {
			return PostgresStoreTests.stores;
		}

	}

}
