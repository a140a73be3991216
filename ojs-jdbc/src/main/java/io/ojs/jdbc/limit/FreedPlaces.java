package io.ojs.jdbc.limit;

import java.time.Instant;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.engine.JobRow;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The places that a transaction gives up, whatever it consists of. They go to others at
 * its end: whoever locks a key must not wait for a row any more, since others, who have
 * that row, may wait for the key.
 */
final class FreedPlaces implements TransactionSynchronization {

	private static final Logger logger = SafeLogger.of(FreedPlaces.class);

	private final StoreDatabase database;

	private final SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);

	/** Whether the transaction has locked keys, and so must lock no others. */
	private boolean locked;

	private Instant now = Instant.MIN;

	private FreedPlaces(StoreDatabase database) {
		this.database = database;
	}

	/** What has become of jobs may let others through. */
	static void add(StoreDatabase database, Collection<JobRow> changed, Instant now) {
		SortedSet<String> keys = keys(database, changed);
		if (keys.isEmpty()) {
			return;
		}
		FreedPlaces places = ofTransaction(database);
		places.keys.addAll(keys);
		places.now = now.isAfter(places.now) ? now : places.now;
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			places.release();
		}
	}

	/** Those whose places are given up, and those whose line has lost one. */
	private static SortedSet<String> keys(StoreDatabase database, Collection<JobRow> changed) {
		JobLimits limits = new JobLimits(database);
		SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);
		for (JobRow row : changed) {
			if (row.hadPlaces && !row.hasPlaces) {
				keys.addAll(limits.placesOf(row));
			}
			// Only the first of a line says when to ask again.
			if (row.wasBlockedBy != null && !row.wasBlockedBy.equals(row.blockedBy)) {
				keys.add(row.wasBlockedBy);
			}
		}
		return keys;
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
		if (!this.keys.isEmpty()) {
			// What the application has changed may have to wait for rows, and fails by
			// itself.
			this.database.flush();
			this.database.read("let jobs through that wait for a limit", () -> {
				release();
				return true;
			});
		}
	}

	/**
	 * Who has given places up even later is committed, and nobody has locked anything.
	 */
	@Override
	public void afterCommit() {
		if (!this.keys.isEmpty()) {
			this.locked = false;
			try {
				this.database
					.afterTransaction(() -> this.database.write("let jobs through that wait for a limit", () -> {
						release();
						return true;
					}));
			}
			catch (RuntimeException ex) {
				// The transaction is committed, and its caller has nothing to do with it.
				logger.warn("Jobs that wait for a limit are let through later, within half a minute", ex);
			}
		}
	}

	private void release() {
		if (this.keys.isEmpty()) {
			return;
		}
		SortedSet<String> freed = new TreeSet<>(this.keys);
		this.keys.clear();
		// The transaction may have lasted: who is let through starts now.
		Instant present = this.database.options().clock().instant();
		RateRelease release = new RateRelease(this.database, present.isAfter(this.now) ? present : this.now);
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
