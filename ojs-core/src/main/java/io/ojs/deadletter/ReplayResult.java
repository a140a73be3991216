package io.ojs.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What became of a replay.
 *
 * @param dryRun whether nothing was to be replayed
 * @param replayed how many were replayed, or would be at most if this is a dry run
 * @param skipped how many were meant and stay, by reason; a dry run knows only which have
 * expired
 * @param examples the first of those that stay, at most {@value #EXAMPLES}
 * @param publishedBy when the relay publishes the last of them; {@code null} if none was
 * replayed
 * @param end how it ended, or would end
 */
public record ReplayResult(boolean dryRun, long replayed, Map<SkipReason, Long> skipped,
		List<ReplayDecision.Skipped> examples, @Nullable Instant publishedBy, ReplayEnd end) {

	/** How many of those that stay are told in person. */
	public static final int EXAMPLES = 20;

	public ReplayResult {
		skipped = Map.copyOf(skipped);
		examples = List.copyOf(examples);
	}

}
