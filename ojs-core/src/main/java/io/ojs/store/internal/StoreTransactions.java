package io.ojs.store.internal;

import java.util.function.Supplier;

import io.ojs.store.StoreUnavailableException;

/**
 * Transactions on the database of the job store.
 */
public interface StoreTransactions {

	/**
	 * Runs work in the caller's transaction, or in a new one if there is none.
	 * @throws StoreUnavailableException if the database cannot be reached, or failed for
	 * a reason that passes; its {@link StoreUnavailableException#isOutcomeUnknown()} says
	 * whether the commit may have succeeded
	 */
	<T> T inTransaction(Supplier<T> work);

	/**
	 * Runs an action after the outermost transaction has been committed; at once, if
	 * there is none. The action does not run after a rollback.
	 * @param action the action; what it throws is logged and changes nothing
	 */
	void afterCommit(Runnable action);

	/**
	 * Whether the caller has a transaction open on the store's database.
	 * @return whether there is a transaction
	 */
	boolean isActive();

	/**
	 * Whether the caller has no transaction open on any database, so that another thread
	 * may commit its work together with that of others.
	 * @return whether there is none; {@code false} if that is not known
	 */
	default boolean isAlone() {
		return false;
	}

}
