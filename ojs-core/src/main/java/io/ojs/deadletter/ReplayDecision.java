package io.ojs.deadletter;

import java.time.Instant;

import io.ojs.client.EncodedJob;

/**
 * What is to become of a dead letter that was chosen for a replay.
 */
public sealed interface ReplayDecision {

	/**
	 * It is put back to work: available, in the queue that its envelope says, no attempt
	 * made, its errors kept.
	 *
	 * @param encoded the job as it is to be published
	 * @param relayAt when the relay publishes it
	 */
	record Replayed(EncodedJob encoded, Instant relayAt) implements ReplayDecision {
	}

	/**
	 * It stays a dead letter.
	 *
	 * @param jobId the id of the job
	 * @param reason why
	 * @param problem what a person should read
	 */
	record Skipped(String jobId, SkipReason reason, String problem) implements ReplayDecision {
	}

}
