package io.ojs.store;

import java.util.function.Supplier;

/**
 * Transactions on the database that the store is in.
 */
public interface StoreTransactions {

	/**
	 * Does something in the caller's transaction, or else in one of its own.
	 * @param <T> what comes of it
	 * @param work what to do
	 * @return what came of it
	 * @throws StoreUnavailableException if the database cannot be reached, or gave up for
	 * a reason that passes; it says so if the commit may have been done all the same
	 */
	<T> T inTransaction(Supplier<T> work);

	/**
	 * Does something once the outermost transaction has been committed; at once, if there
	 * is none. It is not done after a rollback.
	 * @param action what to do; what it throws is logged and changes nothing
	 */
	void afterCommit(Runnable action);

	/**
	 * Whether the caller has a transaction open on the store's database.
	 * @return whether there is one
	 */
	boolean isActive();

	/**
	 * Whether the caller has no transaction open on any database, so that what it does
	 * may be committed together with what others do, on the thread of one of them.
	 * @return whether it is alone; {@code false} if that is not known
	 */
	default boolean isAlone() {
		return false;
	}

}
