package io.ojs.cron;

import java.util.Locale;

/**
 * What happens to a run of a cron if a job of an earlier one has not ended (OJS Cron §6).
 */
public enum OverlapPolicy {

	/** No job is enqueued, and the run is recorded as skipped. */
	SKIP,

	/** The job is enqueued nevertheless. */
	ALLOW,

	/** The earlier jobs are cancelled, and the new one is enqueued. */
	CANCEL_PREVIOUS,

	/** The job waits until earlier ones have ended, so jobs of the cron never overlap. */
	ENQUEUE;

	/**
	 * Returns the policy with a name in JSON.
	 * @param value {@code skip}, {@code allow} or {@code queue}, {@code cancel_previous}
	 * or {@code replace}, {@code enqueue}; in upper or lower case
	 * @return the policy
	 * @throws InvalidCronException if there is no such policy
	 */
	public static OverlapPolicy fromWire(String value) {
		return switch (value.toLowerCase(Locale.ROOT).replace('-', '_')) {
			case "skip" -> SKIP;
			case "allow", "queue" -> ALLOW;
			case "cancel_previous", "replace" -> CANCEL_PREVIOUS;
			case "enqueue" -> ENQUEUE;
			default -> throw new InvalidCronException("overlap_policy", value,
					"must be skip, allow (or queue), cancel_previous (or replace), or enqueue");
		};
	}

	/**
	 * Returns the name of this policy in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
