package io.ojs.boot.it;

import org.junit.jupiter.api.Tag;

/**
 * Where the store delivers.
 */
@Tag("faults")
class StoreDeliveryChaosTests extends StoreChaosContract {

	StoreDeliveryChaosTests() {
		super("store");
	}

}
