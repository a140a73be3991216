package io.ojs.test.boot;

import io.ojs.test.jobs.TestTransactions;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions of Spring, whatever they are of.
 */
final class SpringTestTransactions implements TestTransactions {

	@Override
	public void afterEnd(Runnable committed, Runnable rolledBack) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			committed.run();
			return;
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				(status == STATUS_COMMITTED ? committed : rolledBack).run();
			}

		});
	}

}
