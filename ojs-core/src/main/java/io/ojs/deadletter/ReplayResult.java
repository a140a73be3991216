package io.ojs.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The result of a replay. Immutable; the methods with a parameter return a changed copy.
 *
 * @param end how the replay ended, or would end
 * @param dryRun whether it only counted
 * @param replayed the number of replayed jobs; for a dry run, the largest number that
 * would be replayed
 * @param skipped the number of skipped jobs by reason; a dry run in the job store knows
 * only which have expired
 * @param examples the first skipped jobs, at most {@value #EXAMPLES}; empty for a replay
 * from the broker
 * @param publishedBy when the relay publishes the last of the replayed jobs; {@code null}
 * if there is none, or for a replay from the broker, which has published them
 * @param kinds the replayed jobs by type of job and error; beyond a thousand kinds, the
 * others are counted as one. Empty for a replay from the job store
 * @param left the dead letters in the queue of the broker at the end; {@code null} if the
 * broker could not be asked, or for a replay from the job store
 * @param problem why the replay failed; {@code null} if it did not
 */
public record ReplayResult(ReplayEnd end, boolean dryRun, long replayed, Map<SkipReason, Long> skipped,
		List<Skipped> examples, @Nullable Instant publishedBy, Map<DeadLetterKind, Long> kinds, @Nullable Long left,
		@Nullable String problem) {

	/** The largest number of examples. */
	public static final int EXAMPLES = 20;

	public ReplayResult {
		skipped = Map.copyOf(skipped);
		examples = List.copyOf(examples);
		kinds = Map.copyOf(kinds);
	}

	/**
	 * The result of a replay that skipped nothing.
	 * @param end how it ended
	 * @param replayed the number of replayed jobs
	 * @return the result
	 */
	public static ReplayResult of(ReplayEnd end, long replayed) {
		return new ReplayResult(end, false, replayed, Map.of(), List.of(), null, Map.of(), null, null);
	}

	/**
	 * Returns how many dead letters the replay decided about.
	 * @return the number of replayed and skipped ones
	 */
	public long lookedAt() {
		return this.replayed + skippedInAll();
	}

	/**
	 * Returns how many dead letters were skipped.
	 * @return the number for all reasons
	 */
	public long skippedInAll() {
		return this.skipped.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Whether the replay did not fail and no dead letter that it was to replay stayed
	 * behind.
	 * @return whether it succeeded
	 */
	public boolean isSuccess() {
		return this.end != ReplayEnd.FAILED && this.skipped.keySet().stream().noneMatch(SkipReason::isError);
	}

	/**
	 * Sets whether the replay only counted.
	 * @param value whether it did
	 * @return a changed copy
	 */
	public ReplayResult dryRun(boolean value) {
		return new ReplayResult(this.end, value, this.replayed, this.skipped, this.examples, this.publishedBy,
				this.kinds, this.left, this.problem);
	}

	/**
	 * Sets the skipped jobs.
	 * @param numbers how many, by reason
	 * @param first the first of them
	 * @return a changed copy
	 */
	public ReplayResult skipped(Map<SkipReason, Long> numbers, List<Skipped> first) {
		return new ReplayResult(this.end, this.dryRun, this.replayed, numbers, first, this.publishedBy, this.kinds,
				this.left, this.problem);
	}

	/**
	 * Sets when the relay publishes the last job.
	 * @param value the time; {@code null} if there is none
	 * @return a changed copy
	 */
	public ReplayResult publishedBy(@Nullable Instant value) {
		return new ReplayResult(this.end, this.dryRun, this.replayed, this.skipped, this.examples, value, this.kinds,
				this.left, this.problem);
	}

	/**
	 * Sets the numbers by type of job and error.
	 * @param values the numbers
	 * @return a changed copy
	 */
	public ReplayResult kinds(Map<DeadLetterKind, Long> values) {
		return new ReplayResult(this.end, this.dryRun, this.replayed, this.skipped, this.examples, this.publishedBy,
				values, this.left, this.problem);
	}

	/**
	 * Sets how many dead letters are left.
	 * @param value the number; {@code null} if unknown
	 * @return a changed copy
	 */
	public ReplayResult left(@Nullable Long value) {
		return new ReplayResult(this.end, this.dryRun, this.replayed, this.skipped, this.examples, this.publishedBy,
				this.kinds, value, this.problem);
	}

	/**
	 * Sets why the replay failed.
	 * @param value the reason; {@code null} if it did not
	 * @return a changed copy
	 */
	public ReplayResult problem(@Nullable String value) {
		return new ReplayResult(this.end, this.dryRun, this.replayed, this.skipped, this.examples, this.publishedBy,
				this.kinds, this.left, value);
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
