package io.ojs.deadletter.internal;

import java.util.List;

import io.ojs.deadletter.DeadLetterCursor;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of a replay that one transaction has looked at.
 *
 * @param decisions the decision about each, the oldest dead letter first
 * @param last the end position of the batch; {@code null} if no dead letter was left
 */
public record ReplayBatch(List<ReplayDecision> decisions, @Nullable DeadLetterCursor last) {

	public ReplayBatch {
		decisions = List.copyOf(decisions);
	}

}
