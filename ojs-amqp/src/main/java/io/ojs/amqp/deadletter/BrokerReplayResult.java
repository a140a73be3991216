package io.ojs.amqp.deadletter;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The result of a replay.
 *
 * @param queue the OJS queue
 * @param dryRun whether the replay only counted
 * @param lookedAt dead letters that it examined
 * @param replayed dead letters that it replayed, or would have replayed in a dry run
 * @param skipped dead letters that stay in the queue, by reason
 * @param kinds dead letters that it replayed, or would have, by type of job and error;
 * beyond a thousand kinds, the others are counted as one
 * @param left dead letters in the queue at the end; −1 if the broker could not be asked
 * @param end how the replay ended
 * @param problem why it failed; {@code null} if it did not
 */
public record BrokerReplayResult(String queue, boolean dryRun, long lookedAt, long replayed,
		Map<BrokerSkipReason, Long> skipped, Map<DeadLetterKind, Long> kinds, long left, BrokerReplayEnd end,
		@Nullable String problem) {

	public BrokerReplayResult {
		skipped = Map.copyOf(skipped);
		kinds = Map.copyOf(kinds);
	}

	/**
	 * Whether the replay did not fail and no dead letter that it was to replay stayed
	 * behind.
	 * @return whether it succeeded
	 */
	public boolean isSuccess() {
		return this.end != BrokerReplayEnd.FAILED
				&& this.skipped.keySet().stream().noneMatch(BrokerSkipReason::isError);
	}

}
