package io.ojs.deadletter;

import java.time.Instant;

import io.ojs.client.EncodedJob;

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
	 * The job stays a dead letter.
	 *
	 * @param jobId the id of the job
	 * @param reason the reason
	 * @param problem an explanation for people
	 */
	record Skipped(String jobId, SkipReason reason, String problem) implements ReplayDecision {
	}

}
