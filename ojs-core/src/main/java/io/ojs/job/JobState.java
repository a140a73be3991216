package io.ojs.job;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The states of a job: the eight of OJS (OJS Core §6.1), and {@link #HANDED_OVER}, which
 * OJS does not have.
 */
public enum JobState {

	/** The job waits for its {@code scheduled_at}. */
	SCHEDULED,

	/** The job is ready for a worker. */
	AVAILABLE,

	/** The job waits until an application activates it. */
	PENDING,

	/** A worker runs the job. */
	ACTIVE,

	/** The handler succeeded. Terminal. */
	COMPLETED,

	/** The handler failed and the job waits for its next attempt. */
	RETRYABLE,

	/** The job was cancelled. Terminal. */
	CANCELLED,

	/** The job failed for good. Terminal, except that an operator can replay it. */
	DISCARDED,

	/**
	 * The broker has the job, for workers that need not report to the job store. Only
	 * jobs of queues whose delivery is hand-over get this state. The store does nothing
	 * more with the job by itself; a worker that reports makes it active.
	 */
	HANDED_OVER;

	private static final Set<JobState> INITIAL = EnumSet.of(SCHEDULED, AVAILABLE, PENDING);

	/**
	 * The state with this name in JSON.
	 * @param value {@code "scheduled"}, {@code "available"} and so on; also
	 * {@code "dead"}, an older word for {@code "discarded"}
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
		throw new InvalidJobException("state", value, "must be one of " + names());
	}

	private static String names() {
		return Arrays.stream(values()).map(JobState::wireName).collect(Collectors.joining(", "));
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
	 * Whether a job in this state has ended, as far as the store knows: the store does
	 * not change it any more by itself.
	 * @return {@code true} for completed, cancelled, discarded and handed over
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == CANCELLED || this == DISCARDED || this == HANDED_OVER;
	}

}
