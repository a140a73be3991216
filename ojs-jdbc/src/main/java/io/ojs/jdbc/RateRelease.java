package io.ojs.jdbc;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.ojs.job.Job;
import io.ojs.rate.RateMeter;

/**
 * Lets jobs through that wait for a limit, in one transaction with whatever made room.
 */
final class RateRelease {

	/** How many are looked at together. */
	private static final int BATCH = 100;

	private final StoreDatabase database;

	private final Instant now;

	RateRelease(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = now;
	}

	/**
	 * Lets through who may start because others have ended.
	 * @param keys what those others held, that are no queues' own
	 * @return how many
	 */
	int freed(Collection<String> keys) {
		RateLimits.lock(this.database, keys);
		return release(keys);
	}

	/**
	 * Lets through who may start.
	 * @param keys what they wait for
	 * @return how many
	 */
	int release(Collection<String> keys) {
		Map<JobRow, Job> jobs = new LinkedHashMap<>();
		for (String key : keys) {
			this.database.jdbc()
				.query("select " + JobRow.ALL_COLUMNS + " from ojs_job where waiting_for = ? and state = 'available'"
						+ RateLimits.NOT_PAUSED + "order by priority desc, enqueued_at, id limit " + BATCH
						+ " for update skip locked", JobRows.ALL, key)
				.forEach((row) -> jobs.put(row, this.database.jobs().stored(row).job()));
		}
		if (jobs.isEmpty()) {
			return 0;
		}
		RateLimits limits = new RateLimits(this.database, this.now);
		limits.lock(jobs);
		int released = release(limits, jobs);
		limits.save();
		if (released > 0) {
			this.database.relayable();
		}
		return released;
	}

	private static int release(RateLimits limits, Map<JobRow, Job> jobs) {
		Set<String> full = new HashSet<>();
		int released = 0;
		for (Map.Entry<JobRow, Job> waiting : jobs.entrySet()) {
			JobRow row = waiting.getKey();
			if (full.contains(row.waitingFor)) {
				// One before it waits for the same, and knows when that may be asked.
				continue;
			}
			RateMeter.Refusal refusal = limits.ask(row, waiting.getValue(), false);
			if (refusal == null) {
				limits.grant(row, waiting.getValue());
				released++;
				continue;
			}
			if (refusal.key().equals(row.waitingFor)) {
				full.add(refusal.key());
			}
			limits.park(row, refusal);
		}
		return released;
	}

}
