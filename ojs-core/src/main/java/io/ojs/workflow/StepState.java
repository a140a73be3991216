package io.ojs.workflow;

import java.util.Locale;

/**
 * The state of a step of a workflow, which is a job or another workflow (OJS Workflows
 * §4.4).
 */
public enum StepState {

	/** Not enqueued yet. */
	WAITING,

	/** Enqueued; waits for a worker, or for its time. */
	PENDING,

	/** A worker runs it. */
	ACTIVE,

	/** Succeeded. */
	COMPLETED,

	/** Failed for good. */
	FAILED,

	/** Cancelled, or will never be enqueued. */
	CANCELLED;

	/**
	 * Returns the name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether a step in this state has ended.
	 * @return {@code true} for completed, failed and cancelled
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == FAILED || this == CANCELLED;
	}

}
