package io.ojs.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The result of a replay.
 *
 * @param dryRun whether it only counted
 * @param replayed the number of replayed jobs; for a dry run, the largest number that
 * would be replayed
 * @param skipped the number of skipped jobs by reason; a dry run knows only which have
 * expired
 * @param examples the first skipped jobs, at most {@value #EXAMPLES}
 * @param publishedBy when the relay publishes the last of the replayed jobs; {@code null}
 * if there is none
 * @param end how the replay ended, or would end
 */
public record ReplayResult(boolean dryRun, long replayed, Map<SkipReason, Long> skipped, List<Skipped> examples,
		@Nullable Instant publishedBy, ReplayEnd end) {

	/** The largest number of examples. */
	public static final int EXAMPLES = 20;

	public ReplayResult {
		skipped = Map.copyOf(skipped);
		examples = List.copyOf(examples);
	}

	/**
	 * The job stays a dead letter.
	 *
	 * @param jobId the id of the job
	 * @param reason the reason
	 * @param problem an explanation for people
	 */
	public record Skipped(String jobId, SkipReason reason, String problem) {
	}

}
