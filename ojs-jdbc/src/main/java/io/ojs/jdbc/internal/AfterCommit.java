package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs actions after a transaction on the store's database has been committed.
 */
final class AfterCommit {

	private static final Logger logger = SafeLogger.of(AfterCommit.class);

	private final StoreDatabase database;

	/**
	 * Key of the actions that {@link #later(Supplier)} runs when its work has returned.
	 */
	private final Object later = new Object();

	AfterCommit(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Runs a transaction. Its actions run after the commit, when the transaction is no
	 * longer bound to the thread. Within a transaction of the caller, they run after the
	 * commit of that one.
	 * @param transaction begins a transaction, or joins the caller's
	 */
	<T> T within(Supplier<T> transaction) {
		if (this.database.isTransactionActive() || TransactionSynchronizationManager.hasResource(this)) {
			return transaction.get();
		}
		Actions actions = new Actions();
		TransactionSynchronizationManager.bindResource(this, actions);
		T result;
		try {
			result = transaction.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this);
		}
		Actions waiting = (Actions) TransactionSynchronizationManager.getResource(this.later);
		if (waiting != null) {
			waiting.add(actions::run);
		}
		else {
			actions.run();
		}
		return result;
	}

	/**
	 * Runs work, and afterwards the actions of all transactions that the work has
	 * committed.
	 */
	<T> T later(Supplier<T> work) {
		if (TransactionSynchronizationManager.hasResource(this.later)) {
			return work.get();
		}
		Actions actions = new Actions();
		TransactionSynchronizationManager.bindResource(this.later, actions);
		try {
			return work.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this.later);
			actions.run();
		}
	}

	/**
	 * Runs an action after the commit of the outermost transaction; at once if there is
	 * none.
	 */
	void run(Runnable action) {
		Actions actions = (Actions) TransactionSynchronizationManager.getResource(this);
		if (actions == null && !this.database.isTransactionActive()) {
			runSafely(action);
			return;
		}
		if (actions == null) {
			actions = new Actions();
			TransactionSynchronizationManager
				.registerSynchronization(new OpenTransaction(this.database, this, actions));
			TransactionSynchronizationManager.bindResource(this, actions);
		}
		actions.add(action);
	}

	private static void runSafely(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.warn("An action after the commit of a transaction failed; the transaction stays committed", ex);
		}
	}

	/**
	 * The actions of one transaction.
	 */
	private static final class Actions {

		private final List<Runnable> list = new ArrayList<>();

		private final Map<Object, Integer> savepoints = new HashMap<>();

		void add(Runnable action) {
			this.list.add(action);
		}

		void savepoint(Object savepoint) {
			this.savepoints.put(savepoint, this.list.size());
		}

		/** Drops the actions that were added after a savepoint. */
		void rollBackTo(Object savepoint) {
			// A savepoint that was set before the first action is not in the map.
			int size = this.savepoints.getOrDefault(savepoint, 0);
			this.list.subList(size, this.list.size()).clear();
		}

		void run() {
			this.list.forEach(AfterCommit::runSafely);
		}

	}

	/**
	 * Runs the actions after the commit of the transaction that is open now.
	 */
	private static final class OpenTransaction implements TransactionSynchronization {

		private final StoreDatabase database;

		private final Object key;

		private final Actions actions;

		OpenTransaction(StoreDatabase database, Object key, Actions actions) {
			this.database = database;
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
			TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
			if (status == STATUS_COMMITTED) {
				this.database.afterTransaction(this.actions::run);
			}
		}

	}

}
