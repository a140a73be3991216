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

	/** Takes jobs and has them worked. */
	ACTIVE,

	/** Takes jobs; none is begun. */
	PAUSED,

	/** Takes no more jobs; those that it has are worked. */
	DRAINING,

	/** Was removed. Takes no jobs, until it is created again. */
	DELETED;

	private static final Map<QueueState, Set<QueueState>> NEXT = new EnumMap<>(QueueState.class);

	static {
		NEXT.put(ACTIVE, EnumSet.of(PAUSED, DRAINING));
		NEXT.put(PAUSED, EnumSet.of(ACTIVE, DRAINING));
		// Back to active: the deletion is called off.
		NEXT.put(DRAINING, EnumSet.of(ACTIVE, DELETED));
		NEXT.put(DELETED, EnumSet.of(ACTIVE));
	}

	/**
	 * The state with this name on the wire.
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
	 * The name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether new jobs are taken.
	 * @return {@code true} for active and paused
	 */
	public boolean acceptsJobs() {
		return this == ACTIVE || this == PAUSED;
	}

	/**
	 * Whether jobs are begun.
	 * @return {@code true} for active and draining
	 */
	public boolean isWorked() {
		return this == ACTIVE || this == DRAINING;
	}

	/**
	 * Whether a queue may go from this state to another. Every queue passes through
	 * draining before it is deleted, so that no process is surprised.
	 * @param next the state to go to
	 * @return {@code true} if the transition is legal
	 */
	public boolean canBecome(QueueState next) {
		return NEXT.getOrDefault(this, Set.of()).contains(next);
	}

}
