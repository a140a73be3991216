package io.ojs.jdbc;

import io.ojs.engine.Transitions;

/**
 * Something that has a part in what becomes of jobs, in the same transaction. Made once
 * for each {@link StoreDatabase}. Internal: it changes with the store.
 */
public interface StoreFeature {

	/**
	 * Writes what it keeps of jobs that have changed.
	 * @param transitions what has become of them, written already
	 */
	default void within(Transitions transitions) {
	}

}
