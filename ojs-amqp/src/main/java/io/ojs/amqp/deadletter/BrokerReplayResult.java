package io.ojs.amqp.deadletter;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What became of a replay.
 *
 * @param queue the OJS queue
 * @param dryRun whether nothing was to be replayed
 * @param lookedAt dead letters that were looked at
 * @param replayed those that were replayed, or would be if this is a dry run
 * @param skipped those that stay, by reason
 * @param kinds what was replayed, or would be, by type of job and error; beyond a
 * thousand kinds the rest is counted as one
 * @param left dead letters in the queue at the end; −1 if the broker could not be asked
 * @param end how it ended
 * @param problem what made it fail
 */
public record BrokerReplayResult(String queue, boolean dryRun, long lookedAt, long replayed,
		Map<BrokerSkipReason, Long> skipped, Map<DeadLetterKind, Long> kinds, long left, BrokerReplayEnd end,
		@Nullable String problem) {

	public BrokerReplayResult {
		skipped = Map.copyOf(skipped);
		kinds = Map.copyOf(kinds);
	}

	/**
	 * Whether all went as it was asked: it did not fail, and nothing that was meant was
	 * left behind.
	 * @return whether it did
	 */
	public boolean isSuccess() {
		return this.end != BrokerReplayEnd.FAILED
				&& this.skipped.keySet().stream().noneMatch(BrokerSkipReason::isError);
	}

}
