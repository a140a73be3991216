package io.ojs.jdbc.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

import io.ojs.engine.JobRow;
import io.ojs.engine.Transitions;
import io.ojs.jdbc.JobColumn;
import io.ojs.jdbc.JobRows;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.rate.RateMeter;

/**
 * Lets jobs through that wait for a limit, in one transaction with whatever made room.
 */
final class RateRelease {

	/** How many are looked at first: mostly as many start as have ended. */
	private static final int FEW = 4;

	private static final int MANY = 64;

	/** How many are let through in one transaction, which has the key locked. */
	private static final int MOST = 200;

	/**
	 * How many are moved to other lines at once. Lines that are the same jobs' would move
	 * all of these to and fro.
	 */
	private static final int MOVES = 64;

	/** When to go on with that. */
	private static final Duration GOES_ON = Duration.ofMillis(50);

	/** Those that wait for a key, as they are let through; takes the key and how many. */
	static final String LINE = "select " + JobColumn.ALL_NAMES + " from ojs_job where blocked_by = ?"
			+ RateLimits.NOT_PAUSED + WaitingPlace.IN_LINE + "limit ?";

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

	/**
	 * Lets through who may start.
	 * @param keys what they wait for
	 * @return how many
	 */
	int release(Collection<String> keys) {
		return releaseAllOf(keys, withOthers(keys));
	}

	/**
	 * Lets through who may start, in a transaction that has locked keys and so may lock
	 * no others.
	 */
	int releaseLocked(SortedSet<String> keys) {
		return releaseAllOf(keys, keys);
	}

	/** Has those who know all limits let through who may start. */
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
	 * The keys, and whatever else limits the first of those that wait for them: locks are
	 * taken at once, so it is asked for before there are any. What comes in between is
	 * noticed.
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

	/** One that waits for a key, and all before it are through or wait for another. */
	private Step next(String key, JobRow row, Job job) {
		if (row.expiresAt != null && row.expiresAt.isBefore(this.now)) {
			// It will not start, and must not take the place of one that may.
			this.limits.publish(row);
			return Step.THROUGH;
		}
		if (!this.limits.covers(row, job)) {
			// Its other key may be somebody's who waits for this one: asked at once
			// again.
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

		/** It is on its way. */
		THROUGH,

		/** Something else does not let it through, and those behind it are asked. */
		ELSEWHERE,

		/** Nobody passes it. */
		STOP

	}

}
