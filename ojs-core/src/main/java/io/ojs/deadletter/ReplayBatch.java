package io.ojs.deadletter;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some of the dead letters of a replay, done in one transaction.
 *
 * @param decisions what became of each, the oldest dead letter first
 * @param last where the batch ended; {@code null} if nothing was left
 */
public record ReplayBatch(List<ReplayDecision> decisions, @Nullable DeadLetterCursor last) {

	public ReplayBatch {
		decisions = List.copyOf(decisions);
	}

}
