package io.ojs.cron;

import java.util.Locale;

/**
 * What becomes of a run of a cron when a job of an earlier one has not ended (OJS Cron
 * §6).
 */
public enum OverlapPolicy {

	/** Nothing is enqueued, and the run is recorded as skipped. */
	SKIP,

	/** The job is enqueued all the same. */
	ALLOW,

	/** The earlier jobs are cancelled, and the new one is enqueued. */
	CANCEL_PREVIOUS,

	/** The job waits until the earlier ones have ended: never two at a time. */
	ENQUEUE;

	/**
	 * The policy with this name on the wire.
	 * @param value {@code skip}, {@code allow} or {@code queue}, {@code cancel_previous}
	 * or {@code replace}, {@code enqueue}; in either case
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
	 * The name of this policy in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
