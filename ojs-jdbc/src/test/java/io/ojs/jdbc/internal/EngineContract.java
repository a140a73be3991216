package io.ojs.jdbc.internal;

import org.junit.jupiter.api.BeforeEach;

/**
 * What holds on whatever keeps rows of jobs.
 *
 * @param <S> the stores
 */
abstract class EngineContract<S extends EngineStores> {

	/** The stores, with nothing in them. */
	protected final S stores = database();

	abstract S database();

	@BeforeEach
	void clear() {
		this.stores.clear();
	}

}
