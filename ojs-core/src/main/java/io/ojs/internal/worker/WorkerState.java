package io.ojs.internal.worker;

import java.util.Locale;
import java.util.Optional;

/**
 * The state of a worker (OJS Worker Protocol §2).
 */
public enum WorkerState {

	/** Fetches and runs jobs. */
	RUNNING,

	/** Does not fetch any more, and runs the jobs that it has. */
	QUIET,

	/** Ends, as soon as it has run the jobs that it has, or its grace is over. */
	TERMINATE;

	/**
	 * Returns the state with a name.
	 * @param value {@code running}, {@code quiet}, {@code terminate}, or a synonym of the
	 * last two: {@code drain}, {@code draining}, {@code terminating}, {@code stopping},
	 * {@code shutting_down}
	 * @return the state; empty if the name is unknown
	 */
	public static Optional<WorkerState> fromWire(String value) {
		return switch (value.toLowerCase(Locale.ROOT)) {
			case "running" -> Optional.of(RUNNING);
			case "quiet", "drain", "draining" -> Optional.of(QUIET);
			case "terminate", "terminating", "stopping", "shutting_down" -> Optional.of(TERMINATE);
			default -> Optional.empty();
		};
	}

	/** Returns the name of this state in JSON. */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the later of two states, because a worker does not go back to an earlier
	 * one.
	 * @return the state that is nearer to the end
	 */
	public WorkerState orLater(WorkerState other) {
		return (other.compareTo(this) > 0) ? other : this;
	}

}
