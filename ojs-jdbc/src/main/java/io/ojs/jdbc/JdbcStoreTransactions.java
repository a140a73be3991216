package io.ojs.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreTransactions;
import org.slf4j.Logger;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions on the database of the store.
 */
public final class JdbcStoreTransactions implements StoreTransactions {

	private static final Logger logger = SafeLogger.of(JdbcStoreTransactions.class);

	private final StoreDatabase database;

	/**
	 * Creates the transactions.
	 * @param database the database of the store
	 */
	public JdbcStoreTransactions(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public <T> T inTransaction(Supplier<T> work) {
		if (isActive() || !TransactionSynchronizationManager.isSynchronizationActive()) {
			return this.database.write("commit the transaction", work);
		}
		// The transaction of another database is open: what is to be done after this one
		// must not wait for that one.
		Actions actions = new Actions();
		TransactionSynchronizationManager.bindResource(this, actions);
		T result;
		try {
			result = this.database.write("commit the transaction", work);
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this);
		}
		actions.run();
		return result;
	}

	@Override
	public void afterCommit(Runnable action) {
		if (!isActive()) {
			run(action);
			return;
		}
		Actions actions = (Actions) TransactionSynchronizationManager.getResource(this);
		if (actions == null) {
			actions = new Actions();
			TransactionSynchronizationManager.bindResource(this, actions);
			TransactionSynchronizationManager.registerSynchronization(new OpenTransaction(this, actions));
		}
		actions.add(action);
	}

	@Override
	public boolean isActive() {
		return this.database.isTransactionActive();
	}

	@Override
	public boolean isAlone() {
		return !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive();
	}

	private static void run(Runnable action) {
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
			this.list.forEach(JdbcStoreTransactions::run);
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
