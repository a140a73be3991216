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
	 * @param encoded the job to be published
	 * @param relayAt when the relay publishes it
	 */
	record Replayed(EncodedJob encoded, Instant relayAt) implements ReplayDecision {
	}

	/**
	 * The dead letter stays.
	 *
	 * @param why the reason
	 */
	record Skipped(ReplayResult.Skipped why) implements ReplayDecision {
	}

}
