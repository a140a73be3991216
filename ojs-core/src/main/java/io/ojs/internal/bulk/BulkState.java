package io.ojs.internal.bulk;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The state of an operation.
 */
public enum BulkState {

	/** No process has begun it. */
	WAITING,

	/** A process works on it, or another one goes on when the lease is over. */
	RUNNING,

	/** It stops after the batch in progress. */
	STOPPING,

	/** It was stopped; what it has done stays. */
	STOPPED,

	/** It has come to its end, or to its limit. */
	COMPLETED,

	/** It cannot go on. */
	FAILED;

	/** The name in JSON and in the database. */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Whether no process works on the operation any more. */
	public boolean isEnd() {
		return this == STOPPED || this == COMPLETED || this == FAILED;
	}

	/** Returns the state with a name; empty if there is none. */
	public static Optional<BulkState> fromWire(String name) {
		return Arrays.stream(values()).filter((each) -> each.wireName().equals(name)).findFirst();
	}

}
