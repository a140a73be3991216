package io.ojs.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The states of a workflow (OJS Workflows §8.1).
 */
public enum WorkflowState {

	/**
	 * No job is enqueued yet. Not visible to callers: a workflow is started in the
	 * transaction that creates it.
	 */
	PENDING,

	/** Some of its jobs have not ended. */
	RUNNING,

	/** The workflow has succeeded. Terminal. */
	COMPLETED,

	/** A part of the workflow has failed for good. Terminal. */
	FAILED,

	/** A caller has cancelled the workflow. Terminal. */
	CANCELLED;

	/**
	 * Returns the state with a name in JSON.
	 * @param value {@code "running"}, {@code "completed"} and so on
	 * @return the state; empty if there is no such state
	 */
	public static Optional<WorkflowState> fromWire(String value) {
		return Arrays.stream(values()).filter((state) -> state.wireName().equals(value)).findFirst();
	}

	/**
	 * Returns the name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether a workflow in this state has ended.
	 * @return {@code true} for completed, failed and cancelled
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == FAILED || this == CANCELLED;
	}

}
