package io.ojs.store.internal.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.ojs.store.internal.StoreTransactions;

/**
 * A caller's transaction that ends when a test says so.
 */
final class OpenTransaction implements StoreTransactions {

	private final List<Runnable> actions = new ArrayList<>();

	@Override
	public <T> T inTransaction(Supplier<T> work) {
		return work.get();
	}

	@Override
	public void afterCommit(Runnable action) {
		this.actions.add(action);
	}

	@Override
	public boolean isActive() {
		return true;
	}

	void commit() {
		this.actions.forEach(Runnable::run);
		this.actions.clear();
	}

}
