package io.ojs.boot.it;

/**
 * Where the store delivers, each killed once: small enough for each build.
 */
class KilledStoreDeliveryTests extends StoreChaosContract {

	KilledStoreDeliveryTests() {
		super("store", 200);
	}

}
