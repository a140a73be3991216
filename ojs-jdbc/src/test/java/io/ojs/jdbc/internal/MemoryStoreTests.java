package io.ojs.jdbc.internal;

import org.junit.jupiter.api.Nested;

/**
 * The contracts of the engine in memory.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class MemoryStoreTests {

	@Nested
	class Jobs extends EngineJobStoreContract<MemoryStores> {

		@Override
		MemoryStores database() {
			return new MemoryStores();
		}

	}

	@Nested
	class Attempts extends EngineAttemptStoreContract<MemoryStores> {

		@Override
		MemoryStores database() {
			return new MemoryStores();
		}

	}

	@Nested
	class Claims extends EngineClaimContract<MemoryStores> {

		@Override
		MemoryStores database() {
			return new MemoryStores();
		}

	}

	@Nested
	class Unique extends EngineUniqueJobsContract<MemoryStores> {

		@Override
		MemoryStores database() {
			return new MemoryStores();
		}

	}

}
