package io.ojs.deadletter.internal;

import java.time.Instant;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.ReplayResult;

/**
 * The decision about a dead letter in a replay.
 */
public sealed interface ReplayDecision {

	/**
	 * The job is replayed: it is available in the queue of its new envelope, with no
	 * attempt made, and keeps its errors.
	 *
	 */
	record Replayed(EncodedJob encoded, Instant relayAt) implements ReplayDecision {
	}

	/**
	 * The dead letter stays.
	 *
	 */
	record Skipped(ReplayResult.Skipped why) implements ReplayDecision {
	}

}
