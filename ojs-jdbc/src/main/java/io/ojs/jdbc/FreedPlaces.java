package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The places that a transaction gives up, whatever it consists of. They go to others at
 * its end: whoever locks a key must not wait for a row any more, since others, who have
 * that row, may wait for the key.
 */
final class FreedPlaces implements TransactionSynchronization {

	private final StoreDatabase database;

	private final SortedSet<String> keys = new TreeSet<>(Bounds.ORDER);

	/** Whether the transaction has locked keys, and so must lock no others. */
	private boolean locked;

	private Instant now = Instant.MIN;

	private FreedPlaces(StoreDatabase database) {
		this.database = database;
	}

	/** The places of keys are free for others. */
	static void add(StoreDatabase database, Collection<String> keys, Instant now) {
		if (keys.isEmpty()) {
			return;
		}
		FreedPlaces places = ofTransaction(database);
		places.keys.addAll(keys);
		places.now = now;
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			places.release();
		}
	}

	/** The transaction has locked what it is going to ask. */
	static void keysAreLocked(StoreDatabase database) {
		ofTransaction(database).locked = true;
	}

	private static FreedPlaces ofTransaction(StoreDatabase database) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			return new FreedPlaces(database);
		}
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof FreedPlaces places && places.database == database) {
				return places;
			}
		}
		FreedPlaces places = new FreedPlaces(database);
		TransactionSynchronizationManager.registerSynchronization(places);
		return places;
	}

	/** After all that others do at the end of the transaction. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		this.database.read("let jobs through that wait for a limit", () -> {
			release();
			return true;
		});
	}

	/**
	 * Who has given places up even later is committed, and nobody has locked anything.
	 */
	@Override
	public void afterCommit() {
		if (!this.keys.isEmpty()) {
			this.locked = false;
			StoreDatabase.afterTransaction(() -> this.database.write("let jobs through that wait for a limit", () -> {
				release();
				return true;
			}));
		}
	}

	private void release() {
		if (this.keys.isEmpty()) {
			return;
		}
		SortedSet<String> freed = new TreeSet<>(this.keys);
		this.keys.clear();
		RateRelease release = new RateRelease(this.database, this.now);
		if (!this.database.options().limits().known().getAsBoolean()) {
			release.leaveToOthers(freed);
		}
		else if (this.locked) {
			release.releaseLocked(freed);
		}
		else {
			release.release(freed);
		}
	}

}
