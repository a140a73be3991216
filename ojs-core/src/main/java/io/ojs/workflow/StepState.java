package io.ojs.workflow;

import java.util.Locale;

/**
 * The state of a step of a workflow, which is a job or another workflow (OJS Workflows
 * §4.4).
 */
public enum StepState {

	/** Not enqueued yet. */
	WAITING('w'),

	/** Enqueued; waits for a worker, or for its time. */
	PENDING('p'),

	/** A worker runs it. */
	ACTIVE('a'),

	/** Succeeded. */
	COMPLETED('c'),

	/** Failed for good. */
	FAILED('f'),

	/** Cancelled, or will never be enqueued. */
	CANCELLED('x');

	private final char code;

	StepState(char code) {
		this.code = code;
	}

	/** The character for this state in the progress of a workflow. */
	char code() {
		return this.code;
	}

	static StepState of(char code) {
		for (StepState state : values()) {
			if (state.code == code) {
				return state;
			}
		}
		throw new IllegalArgumentException("No state of a step is written as '%s'.".formatted(code));
	}

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
