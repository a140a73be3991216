package io.ojs.jdbc.internal.limit;

import java.time.Instant;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.log.SafeLogger;
import io.ojs.jdbc.internal.StoreDatabase;
import org.slf4j.Logger;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The places that one transaction frees. They go to other jobs at the end of the
 * transaction: a transaction that has locked a key must not wait for a row any more,
 * since a transaction that has locked the row may wait for the key.
 */
final class FreedPlaces implements TransactionSynchronization {

	private static final Logger logger = SafeLogger.of(FreedPlaces.class);

	private final StoreDatabase database;

	private final SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);

	/** Whether the transaction has locked keys, and so must not lock others. */
	private boolean locked;

	private Instant now = Instant.MIN;

	private FreedPlaces(StoreDatabase database) {
		this.database = database;
	}

	/** Notes the keys that may let other jobs through after changes of jobs. */
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

	/**
	 * Returns the keys whose places are freed, and the keys whose line a job has left.
	 */
	private static SortedSet<String> keys(StoreDatabase database, Collection<JobRow> changed) {
		JobLimits limits = new JobLimits(database);
		SortedSet<String> keys = new TreeSet<>(JobLimits.ORDER);
		for (JobRow row : changed) {
			if (row.hadPlaces && !row.hasPlaces) {
				keys.addAll(limits.placesOf(row));
			}
			// Only the first job of a line has a time to ask again, and it may have left.
			if (row.wasBlockedBy != null && !row.wasBlockedBy.equals(row.blockedBy)) {
				keys.add(row.wasBlockedBy);
			}
		}
		return keys;
	}

	/** Notes that the transaction has locked all keys that it is going to ask. */
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

	/** Runs after all other synchronizations of the transaction. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		if (!this.keys.isEmpty()) {
			// Changes of the application may have to wait for rows, so they are written
			// before keys are locked. They fail by themselves.
			this.database.flush();
			this.database.read("let jobs through that wait for a limit", () -> {
				release();
				return true;
			});
		}
	}

	/**
	 * Releases places that were freed after {@link #beforeCommit}. The transaction is
	 * committed and has no locks.
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
				// The transaction is committed: its caller must not get this failure.
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
		// The transaction may have lasted, and the jobs start now.
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
