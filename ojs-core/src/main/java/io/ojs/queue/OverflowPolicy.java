package io.ojs.queue;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job that meets a full queue (OJS Queue Configuration §6.1).
 */
public enum OverflowPolicy {

	/** It is refused. */
	REJECT,

	/** The oldest jobs that no worker runs are discarded to make room for it. */
	DROP_OLDEST,

	/** Its producer waits for room, for a time. */
	BLOCK;

	/**
	 * The policy with this name on the wire.
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
	 * The name of this policy in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
