package io.ojs.jdbc.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.rate.RateMeter;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;

/**
 * Lets jobs through that wait for a limit, in the transaction that made room for them or
 * in one of its own.
 */
final class RateRelease {

	/** How many jobs the first query reads: mostly as many start as have ended. */
	private static final int FEW = 4;

	private static final int MANY = 64;

	/**
	 * How many jobs of a key are let through in one transaction, which has the key
	 * locked.
	 */
	private static final int MOST = 200;

	/**
	 * How many jobs are moved to other lines at once. Otherwise, two lines with the same
	 * jobs would move all of them to and fro.
	 */
	private static final int MOVES = 64;

	/** When to go on after such a bound is reached. */
	private static final Duration GOES_ON = Duration.ofMillis(50);

	/**
	 * Reads jobs that wait for a key, in the order in which they are let through. The
	 * parameters are the key and how many.
	 */
	static final String LINE = "select " + JobColumn.ALL_NAMES + " from ojs_job where blocked_by = ?"
			+ RateLimits.NOT_PAUSED + WaitingPlace.IN_TURN + "limit ?";

	private final StoreDatabase database;

	private final Instant now;

	private final RateLimits limits;

	private final Transitions transitions;

	RateRelease(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = now;
		this.limits = new RateLimits(database, now);
		this.transitions = database.transitions(now);
	}

	/** Lets jobs through that may start. */
	int release(Collection<String> keys) {
		return releaseAllOf(keys, withOthers(keys));
	}

	/**
	 * Lets jobs through that may start, in a transaction that has locked keys and so must
	 * not lock others.
	 */
	int releaseLocked(SortedSet<String> keys) {
		return releaseAllOf(keys, keys);
	}

	/** Leaves the jobs to processes that know all limits, which ask at once. */
	void leaveToOthers(SortedSet<String> keys) {
		this.limits.lock(keys);
		keys.forEach(this::askSoon);
		this.limits.save();
	}

	private void askSoon(String key) {
		line(key, 1).forEach((row) -> this.limits.askAt(row, this.now));
	}

	private int releaseAllOf(Collection<String> keys, SortedSet<String> locked) {
		this.limits.lock(locked);
		int released = 0;
		for (String key : keys) {
			released += release(key);
		}
		this.database.events().append(this.transitions.events());
		if (released > 0) {
			this.database.relayable();
		}
		return released;
	}

	/**
	 * Returns the keys, and the other keys of the first jobs that wait for them. A
	 * transaction locks keys at once, so this reads the jobs before there are locks.
	 * {@link #next} notices jobs that come in between.
	 */
	private SortedSet<String> withOthers(Collection<String> keys) {
		Map<JobRow, Job> first = new LinkedHashMap<>();
		for (String key : keys) {
			this.database.jdbc()
				.query(LINE, JobRows.ALL, key, 2 * FEW)
				.forEach((row) -> first.put(row, this.database.codec().stored(row).job()));
		}
		SortedSet<String> all = new TreeSet<>(JobLimits.ORDER);
		all.addAll(keys);
		all.addAll(this.limits.keys(first));
		return all;
	}

	private int release(String key) {
		int released = 0;
		int moved = 0;
		int few = FEW;
		boolean on = true;
		while (on && released < MOST && moved < MOVES) {
			List<JobRow> line = line(key, few);
			for (JobRow row : line) {
				Step step = next(key, row, this.database.codec().stored(row).job());
				released += (step == Step.THROUGH) ? 1 : 0;
				moved += (step == Step.ELSEWHERE) ? 1 : 0;
				if (step == Step.STOP || moved == MOVES) {
					on = step != Step.STOP;
					break;
				}
			}
			this.limits.save();
			on &= line.size() == few || moved == MOVES;
			few = Math.min(2 * few, MANY);
		}
		if (on) {
			line(key, 1).forEach((row) -> this.limits.askAt(row, this.now.plus(GOES_ON)));
			this.limits.save();
		}
		return released;
	}

	private List<JobRow> line(String key, int limit) {
		return this.database.jdbc().query(LINE + " for update skip locked", JobRows.ALL, key, limit);
	}

	/**
	 * Decides about the next job that waits for a key. All jobs before it are through, or
	 * wait for another key.
	 */
	private Step next(String key, JobRow row, Job job) {
		if (row.expiresAt != null && row.expiresAt.isBefore(this.now)) {
			// The job will not start, and must not take the place of one that may.
			this.limits.publish(row);
			return Step.THROUGH;
		}
		if (!this.limits.covers(row, job)) {
			// A transaction that waits for this key may have locked the other key of the
			// job: ask again at once.
			this.limits.park(row, new RateMeter.Refusal(key, this.now), job);
			return Step.STOP;
		}
		RateMeter.Refusal refusal = this.limits.askForWaiting(row, job);
		if (refusal == null) {
			this.transitions.limitEvent("rate_limit.released", row, key);
			this.limits.grant(row, job);
			return Step.THROUGH;
		}
		if (this.limits.sendBack(row, job, refusal)) {
			return Step.THROUGH;
		}
		this.limits.park(row, refusal, job);
		return refusal.key().equals(key) ? Step.STOP : Step.ELSEWHERE;
	}

	private enum Step {

		/** The job is let through. */
		THROUGH,

		/** Another limit does not let the job through; the jobs behind it are asked. */
		ELSEWHERE,

		/** The job stays, and no other passes it. */
		STOP

	}

}
