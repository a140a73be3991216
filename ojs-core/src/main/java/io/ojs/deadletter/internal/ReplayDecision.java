package io.ojs.deadletter.internal;

import java.time.Instant;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.ReplayResult;
import org.jspecify.annotations.Nullable;

/**
 * The decision about a dead letter in a replay.
 */
public sealed interface ReplayDecision {

	/**
	 * The job is replayed: it is available in the queue of its new envelope, with no
	 * attempt made, and keeps its errors.
	 *
	 * @param operation the id of the operation that replays it; {@code null} without one
	 */
	record Replayed(EncodedJob encoded, Instant relayAt, @Nullable String operation) implements ReplayDecision {

		/** One that no operation replays. */
		public Replayed(EncodedJob encoded, Instant relayAt) {
			this(encoded, relayAt, null);
		}

	}

	/**
	 * The dead letter stays.
	 *
	 */
	record Skipped(ReplayResult.Skipped why) implements ReplayDecision {
	}

}
