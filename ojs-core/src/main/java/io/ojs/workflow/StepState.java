package io.ojs.workflow;

import java.util.Locale;

/**
 * The states of a step of a workflow, be it a job or a workflow within the workflow (OJS
 * Workflows §4.4).
 */
public enum StepState {

	/** Not enqueued yet. */
	WAITING('w'),

	/** Enqueued, and no worker runs it: it waits for one, or for its time. */
	PENDING('p'),

	/** A worker runs it. */
	ACTIVE('a'),

	/** Succeeded. */
	COMPLETED('c'),

	/** Failed for good. */
	FAILED('f'),

	/** Cancelled, or not to be enqueued any more. */
	CANCELLED('x');

	private final char code;

	StepState(char code) {
		this.code = code;
	}

	/** One character that stands for the state where there are many. */
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
	 * The name of this state in JSON.
	 * @return the lower-case name
	 */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether nothing happens to a step in this state any more.
	 * @return {@code true} for completed, failed and cancelled
	 */
	public boolean isTerminal() {
		return this == COMPLETED || this == FAILED || this == CANCELLED;
	}

}
