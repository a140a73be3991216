package io.ojs.queue;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What happens to a job for a full queue (OJS Queue Configuration §6.1).
 */
public enum OverflowPolicy {

	/** The queue refuses the job. */
	REJECT,

	/** The oldest jobs that do not run are discarded to make room for it. */
	DROP_OLDEST,

	/** Its producer waits for room, up to a timeout. */
	BLOCK;

	/**
	 * Returns the policy with a name in JSON.
	 * @param value {@code reject}, {@code drop_oldest} or {@code block}
	 * @return the policy
	 * @throws InvalidQueueConfigException if there is no such policy
	 */
	public static OverflowPolicy fromWire(@Nullable String value) {
		for (OverflowPolicy policy : values()) {
			if (policy.wireName().equals(value)) {
				return policy;
			}
		}
		throw new InvalidQueueConfigException("overflow_policy", value, "must be one of reject, drop_oldest, block");
	}

	/**
	 * Returns the name of this policy in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
