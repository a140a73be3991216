package io.ojs.test.jobs;

/**
 * The transactions of an application, where it has any.
 */
@FunctionalInterface
public interface TestTransactions {

	/** There are none. */
	TestTransactions NONE = (committed, rolledBack) -> committed.run();

	/**
	 * Does something when the transaction of the caller has ended.
	 * @param committed what to do after the commit; at once, if there is no transaction
	 * @param rolledBack what to do after a rollback
	 */
	void afterEnd(Runnable committed, Runnable rolledBack);

}
