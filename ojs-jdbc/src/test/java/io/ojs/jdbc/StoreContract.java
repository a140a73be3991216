package io.ojs.jdbc;

import org.junit.jupiter.api.BeforeEach;

/**
 * What is the same on every database. A subclass says which database that is.
 */
abstract class StoreContract {

	/** The stores, with nothing in them. */
	protected final TestStores stores = database();

	abstract TestStores database();

	@BeforeEach
	void clear() {
		this.stores.clear();
	}

}
