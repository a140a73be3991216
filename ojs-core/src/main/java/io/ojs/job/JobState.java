package io.ojs.job;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The eight states of a job and the transitions between them (OJS Core §6.1, §6.3), and
 * one that OJS does not have: {@link #HANDED_OVER}.
 */
public enum JobState {

	/** Waits for its {@code scheduled_at}. */
	SCHEDULED,

	/** Ready to be picked up by a worker. */
	AVAILABLE,

	/** Staged: waits until somebody activates it. */
	PENDING,

	/** A worker runs it. */
	ACTIVE,

	/** The handler succeeded. Terminal. */
	COMPLETED,

	/** The handler failed and the job waits for its next attempt. */
	RETRYABLE,

	/** Stopped on purpose. Terminal. */
	CANCELLED,

	/** Failed for good. Terminal, except that an operator may retry it by hand. */
	DISCARDED,

	/**
	 * The broker has it, for workers that need not report to the job store. Only jobs of
	 * queues whose delivery is hand-over get there. The store does nothing more with it
	 * by itself; a worker that reports makes it active.
	 */
	HANDED_OVER;

	private static final Set<JobState> INITIAL = EnumSet.of(SCHEDULED, AVAILABLE, PENDING);

	private static final Map<JobState, Set<JobState>> NEXT = new EnumMap<>(JobState.class);

	static {
		NEXT.put(SCHEDULED, EnumSet.of(AVAILABLE, CANCELLED));
		NEXT.put(AVAILABLE, EnumSet.of(ACTIVE, CANCELLED, HANDED_OVER));
		NEXT.put(PENDING, EnumSet.of(AVAILABLE, CANCELLED));
		// Back to available: the worker died and its reservation ran out.
		NEXT.put(ACTIVE, EnumSet.of(COMPLETED, RETRYABLE, CANCELLED, DISCARDED, AVAILABLE, HANDED_OVER));
		NEXT.put(RETRYABLE, EnumSet.of(AVAILABLE, CANCELLED));
		NEXT.put(DISCARDED, EnumSet.of(AVAILABLE));
		// A worker reports to the store, or leaves a dead letter.
		NEXT.put(HANDED_OVER, EnumSet.of(ACTIVE, DISCARDED));
		NEXT.put(COMPLETED, EnumSet.noneOf(JobState.class));
		NEXT.put(CANCELLED, EnumSet.noneOf(JobState.class));
	}

	/**
	 * The state with this name on the wire.
	 * @param value {@code "scheduled"}, {@code "available"} and so on; {@code "dead"}, an
	 * older word for {@code "discarded"}, is understood too
	 * @return the state
	 * @throws InvalidJobException if there is no such state
	 */
	public static JobState fromWire(String value) {
		for (JobState state : values()) {
			if (state.wireName().equals(value)) {
				return state;
			}
		}
		if ("dead".equals(value)) {
			return DISCARDED;
		}
		throw new InvalidJobException("state", value, "must be one of scheduled, available, pending, active, "
				+ "completed, retryable, cancelled, discarded, handed_over");
	}

	/**
	 * The name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether a job may be created in this state.
	 * @return {@code true} for scheduled, available and pending
	 */
	public boolean isInitial() {
		return INITIAL.contains(this);
	}

	/**
	 * Whether nothing happens to a job in this state by itself any more.
	 * @return {@code true} for completed, cancelled, discarded and handed over
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == CANCELLED || this == DISCARDED || this == HANDED_OVER;
	}

	/**
	 * Whether a job may go from this state to another: whether OJS Core §6.3 lists the
	 * transition, or it begins or ends in {@link #HANDED_OVER}.
	 * @param next the state to go to
	 * @return {@code true} if the transition is legal
	 */
	public boolean canBecome(JobState next) {
		return NEXT.getOrDefault(this, Set.of()).contains(next);
	}

	/**
	 * Goes to another state, or refuses.
	 * @param next the state to go to
	 * @return {@code next}
	 * @throws IllegalStateTransitionException if OJS Core §6.3 does not list the
	 * transition
	 */
	public JobState to(JobState next) {
		if (!canBecome(next)) {
			throw new IllegalStateTransitionException(this, next);
		}
		return next;
	}

}
