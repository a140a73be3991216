package io.ojs.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What is to be done when a transaction on the database of the store has been committed.
 */
final class AfterCommit {

	private static final Logger logger = SafeLogger.of(AfterCommit.class);

	private final StoreDatabase database;

	AfterCommit(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Does something in a transaction, and then what was to be done after it.
	 * @param transaction begins a transaction, or takes part in the caller's
	 */
	<T> T within(Supplier<T> transaction) {
		boolean other = TransactionSynchronizationManager.isSynchronizationActive() || StoreDatabase.isCompleting();
		if (!other || this.database.isTransactionActive() || TransactionSynchronizationManager.hasResource(this)) {
			return transaction.get();
		}
		// The transaction of another database is open, or one of this database is being
		// completed: what is to be done after this one waits for this one alone.
		Actions actions = new Actions();
		TransactionSynchronizationManager.bindResource(this, actions);
		T result;
		try {
			result = transaction.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this);
		}
		actions.run();
		return result;
	}

	/**
	 * Does something once the outermost transaction is committed; now if none is open.
	 */
	void run(Runnable action) {
		Actions actions = (Actions) TransactionSynchronizationManager.getResource(this);
		if (actions == null && !this.database.isTransactionActive()) {
			runSafely(action);
			return;
		}
		if (actions == null) {
			actions = new Actions();
			TransactionSynchronizationManager.bindResource(this, actions);
			TransactionSynchronizationManager.registerSynchronization(new OpenTransaction(this, actions));
		}
		actions.add(action);
	}

	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn("What was to be done after a commit has failed.", ex);
		}
	}

	/** What is to be done after a commit. */
	private static final class Actions {

		private final List<Runnable> list = new ArrayList<>();

		private final Map<Object, Integer> savepoints = new HashMap<>();

		void add(Runnable action) {
			this.list.add(action);
		}

		void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.list.size());
		}

		/** What came after a savepoint has not happened. */
		void rollBackTo(Object savepoint) {
			// One that was set before anybody had anything to do is not known here.
			int size = this.savepoints.getOrDefault(savepoint, 0);
			this.list.subList(size, this.list.size()).clear();
		}

		void run() {
			this.list.forEach(AfterCommit::runSafely);
		}

	}

	/** Watches the transaction that is open now. */
	private static final class OpenTransaction implements TransactionSynchronization {

		private final Object key;

		private final Actions actions;

		OpenTransaction(Object key, Actions actions) {
			this.key = key;
			this.actions = actions;
		}

		@Override
		public void suspend() {
			TransactionSynchronizationManager.unbindResource(this.key);
		}

		@Override
		public void resume() {
			TransactionSynchronizationManager.bindResource(this.key, this.actions);
		}

		@Override
		public void savepoint(Object savepoint) {
			this.actions.savepoint(savepoint);
		}

		@Override
		public void savepointRollback(Object savepoint) {
			this.actions.rollBackTo(savepoint);
		}

		@Override
		public void beforeCompletion() {
			TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
		}

		@Override
		public void afterCompletion(int status) {
			if (status == STATUS_COMMITTED) {
				StoreDatabase.afterTransaction(this.actions::run);
			}
		}

	}

}
