package io.ojs.queue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The states of a queue and the transitions between them (OJS Queue Configuration §5.1).
 */
public enum QueueState {

	/** The queue takes jobs, and workers run them. */
	ACTIVE,

	/** The queue takes jobs, and workers begin none. */
	PAUSED,

	/** The queue takes no more jobs; workers run those that it has. */
	DRAINING,

	/** The queue was deleted. It takes no jobs until it is created again. */
	DELETED;

	private static final Map<QueueState, Set<QueueState>> NEXT = new EnumMap<>(QueueState.class);

	static {
		NEXT.put(ACTIVE, EnumSet.of(PAUSED, DRAINING));
		NEXT.put(PAUSED, EnumSet.of(ACTIVE, DRAINING));
		// Back to active: an operator has cancelled the deletion.
		NEXT.put(DRAINING, EnumSet.of(ACTIVE, DELETED));
		NEXT.put(DELETED, EnumSet.of(ACTIVE));
	}

	/**
	 * Returns the state with a name in JSON.
	 * @param value {@code active}, {@code paused}, {@code draining} or {@code deleted}
	 * @return the state
	 * @throws InvalidQueueConfigException if there is no such state
	 */
	public static QueueState fromWire(@Nullable String value) {
		for (QueueState state : values()) {
			if (state.wireName().equals(value)) {
				return state;
			}
		}
		throw new InvalidQueueConfigException("state", value, "must be one of active, paused, draining, deleted");
	}

	/**
	 * Returns the name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether the queue takes new jobs.
	 * @return {@code true} for active and paused
	 */
	public boolean acceptsJobs() {
		return this == ACTIVE || this == PAUSED;
	}

	/**
	 * Whether workers begin jobs of the queue.
	 * @return {@code true} for active and draining
	 */
	public boolean isWorked() {
		return this == ACTIVE || this == DRAINING;
	}

	/**
	 * Whether a queue may go from this state to another. Every queue is draining before
	 * it is deleted, so that all processes learn of it in time.
	 * @param next the other state
	 * @return whether the transition is allowed
	 */
	public boolean canBecome(QueueState next) {
		return NEXT.getOrDefault(this, Set.of()).contains(next);
	}

}
