package io.ojs.worker;

import java.util.Locale;
import java.util.Optional;

/**
 * What a worker does about jobs (OJS Worker Protocol §2).
 */
public enum WorkerState {

	/** Fetches and runs jobs. */
	RUNNING,

	/** Fetches no more, and runs what it has. */
	QUIET,

	/** Ends, as soon as it has run what it has or its grace is over. */
	TERMINATE;

	/**
	 * The state that a worker means.
	 * @param value {@code running}, {@code quiet}, {@code terminate}, or one of the words
	 * that are in use for the last two: {@code drain}, {@code draining},
	 * {@code terminating}, {@code stopping}, {@code shutting_down}
	 * @return the state; empty if it is none
	 */
	public static Optional<WorkerState> fromWire(String value) {
		return switch (value.toLowerCase(Locale.ROOT)) {
			case "running" -> Optional.of(RUNNING);
			case "quiet", "drain", "draining" -> Optional.of(QUIET);
			case "terminate", "terminating", "stopping", "shutting_down" -> Optional.of(TERMINATE);
			default -> Optional.empty();
		};
	}

	/**
	 * The name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The later of two states: there is no way back from the end.
	 * @param other another state
	 * @return the one that is nearer to the end
	 */
	public WorkerState orLater(WorkerState other) {
		return (other.compareTo(this) > 0) ? other : this;
	}

}
