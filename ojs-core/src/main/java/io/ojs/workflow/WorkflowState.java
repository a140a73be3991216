package io.ojs.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The states of a workflow (OJS Workflows §8.1).
 */
public enum WorkflowState {

	/**
	 * Created, and nothing of it is enqueued yet. A workflow is started in the
	 * transaction that creates it, so nobody ever sees one in this state.
	 */
	PENDING,

	/** Some of its jobs have not ended. */
	RUNNING,

	/** All that was to be done has been done. Terminal. */
	COMPLETED,

	/** Something of it has failed for good. Terminal. */
	FAILED,

	/** Stopped on purpose. Terminal. */
	CANCELLED;

	/**
	 * The state with this name on the wire.
	 * @param value {@code "running"}, {@code "completed"} and so on
	 * @return the state; empty if there is no such state
	 */
	public static Optional<WorkflowState> fromWire(String value) {
		return Arrays.stream(values()).filter((state) -> state.wireName().equals(value)).findFirst();
	}

	/**
	 * The name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether nothing happens to a workflow in this state any more.
	 * @return {@code true} for completed, failed and cancelled
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == FAILED || this == CANCELLED;
	}

}
