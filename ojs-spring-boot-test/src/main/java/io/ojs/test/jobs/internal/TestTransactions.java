package io.ojs.test.jobs.internal;

/**
 * The transactions of an application, if it has any.
 */
@FunctionalInterface
public interface TestTransactions {

	/** For an application without transactions. */
	TestTransactions NONE = (committed, rolledBack) -> committed.run();

	/**
	 * Runs code when the transaction of the caller has ended.
	 * @param committed runs after the commit; at once, if there is no transaction
	 * @param rolledBack runs after a rollback
	 */
	void afterEnd(Runnable committed, Runnable rolledBack);

}
