package io.ojs.deadletter.internal;

import io.ojs.job.Job;

/**
 * The entries that a replay writes into the {@code meta} of a job (OJS Dead Letter §7.2).
 */
public final class ReplayMarks {

	/** How often the job was replayed. It tells publications of the job apart. */
	public static final String COUNT = "ojs.replay_count";

	/** The time of the last replay; RFC 3339. */
	public static final String LAST_AT = "ojs.last_replayed_at";

	/**
	 * Replaces the id of the store in a message that an operator has replayed from the
	 * broker: the job runs even if a store has deleted it.
	 */
	public static final String STORE = "replayed";

	private ReplayMarks() {
	}

	/**
	 * Returns how often a job was replayed, by its envelope.
	 * @return 0 or more; 0 without a valid value
	 */
	public static int count(Job job) {
		return (job.meta().get(COUNT) instanceof Integer count && count > 0) ? count : 0;
	}

}
