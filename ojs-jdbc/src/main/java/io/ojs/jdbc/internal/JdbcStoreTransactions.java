package io.ojs.jdbc.internal;

import java.util.function.Supplier;

import io.ojs.store.internal.StoreTransactions;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions on the database of the store.
 */
public final class JdbcStoreTransactions implements StoreTransactions {

	private final StoreDatabase database;

	public JdbcStoreTransactions(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public <T> T inTransaction(Supplier<T> work) {
		return this.database.write("commit the transaction", work);
	}

	@Override
	public void afterCommit(Runnable action) {
		this.database.afterCommit().run(action);
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

}
