package io.ojs.test.boot;

import java.util.ArrayList;
import java.util.List;

import io.ojs.test.jobs.internal.TestTransactions;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions of the current thread, whatever their transaction manager.
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
	 * @param committed runs after a commit
	 * @param rolledBack runs after a rollback
	 */
	private record End(Runnable committed, Runnable rolledBack) {
	}

	/**
	 * Collects the ends of one transaction. After a rollback the last change is undone
	 * first, because it may have changed the result of an earlier one.
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
