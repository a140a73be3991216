package io.ojs.test.boot;

import java.util.ArrayList;
import java.util.List;

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
		ofTransaction().ends.add(new End(committed, rolledBack));
	}

	private static Ends ofTransaction() {
		return TransactionSynchronizationManager.getSynchronizations()
			.stream()
			.filter(Ends.class::isInstance)
			.map(Ends.class::cast)
			.findFirst()
			.orElseGet(() -> {
				Ends ends = new Ends();
				TransactionSynchronizationManager.registerSynchronization(ends);
				return ends;
			});
	}

	/**
	 * What to do when the transaction has ended.
	 *
	 * @param committed after the commit
	 * @param rolledBack after a rollback
	 */
	private record End(Runnable committed, Runnable rolledBack) {
	}

	/**
	 * One for each transaction: what came last is taken back first, since it may have
	 * changed what came before.
	 */
	private static final class Ends implements TransactionSynchronization {

		private final List<End> ends = new ArrayList<>();

		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_COMMITTED) {
				this.ends.forEach((end) -> end.committed().run());
				return;
			}
			for (int i = this.ends.size() - 1; i >= 0; i--) {
				this.ends.get(i).rolledBack().run();
			}
		}

	}

}
