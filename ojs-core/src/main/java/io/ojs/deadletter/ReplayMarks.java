package io.ojs.deadletter;

import io.ojs.job.Job;

/**
 * What a replay leaves in the {@code meta} of a job (OJS Dead Letter §7.2).
 */
public final class ReplayMarks {

	/** How often the job was replayed; also tells the generation of a message. */
	public static final String COUNT = "ojs.replay_count";

	/** When it was replayed last; RFC 3339. */
	public static final String LAST_AT = "ojs.last_replayed_at";

	/**
	 * Stands for the id of the store in a message that an operator has replayed from the
	 * broker: its job is to run, also if a store has deleted it.
	 */
	public static final String STORE = "replayed";

	private ReplayMarks() {
	}

	/**
	 * How often a job was replayed, as its envelope says.
	 * @param job a job from anywhere
	 * @return 0 or more; 0 if the envelope says nothing, or nothing that can be
	 */
	public static int count(Job job) {
		return (job.meta().get(COUNT) instanceof Integer count && count > 0) ? count : 0;
	}

}
