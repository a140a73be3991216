package io.ojs.internal.bulk;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What an operation does to each job.
 */
public enum BulkAction {

	/** Replays dead letters. */
	REPLAY,

	/** Cancels jobs that have not ended. */
	CANCEL,

	/** Deletes dead letters, or jobs that have ended. */
	DELETE;

	/** The name in JSON and in the database. */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** Returns the action with a name; empty if there is none. */
	public static Optional<BulkAction> fromWire(String name) {
		return Arrays.stream(values()).filter((each) -> each.wireName().equals(name)).findFirst();
	}

}
