package io.ojs.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * How many dead letters to replay, and how. Immutable; each method returns a changed
 * copy.
 *
 * @param dryRun whether to count only
 * @param confirm {@code true} to confirm the replay; required unless it is a dry run
 * @param limit the largest number to replay, at least 1; {@code null} for all
 * @param rate jobs published per second, from 0.001 to 100,000; {@code null} for as many
 * as the broker takes
 * @param overrides changes of the jobs
 */
public record ReplayOptions(boolean dryRun, boolean confirm, @Nullable Long limit, @Nullable Double rate,
		ReplayOverrides overrides) {

	/** Counts, and replays nothing. */
	public static final ReplayOptions DRY_RUN = new ReplayOptions(true, false, null, null, ReplayOverrides.NONE);

	/** Replays all matching dead letters without changes. */
	public static final ReplayOptions CONFIRMED = new ReplayOptions(false, true, null, null, ReplayOverrides.NONE);

	private static final double MIN_RATE = 0.001;

	private static final double MAX_RATE = 100_000;

	/**
	 * Checks the values.
	 * @throws InvalidDeadLetterRequestException if a value is out of range
	 */
	public ReplayOptions {
		if (limit != null && limit < 1) {
			throw new InvalidDeadLetterRequestException("limit", limit, "must be 1 or more");
		}
		if (rate != null && !(rate >= MIN_RATE && rate <= MAX_RATE)) {
			throw new InvalidDeadLetterRequestException("rate", rate, "must be between 0.001 and 100000 jobs a second");
		}
	}

	/**
	 * Counts only.
	 * @return a copy that is a dry run
	 */
	public ReplayOptions asDryRun() {
		return new ReplayOptions(true, this.confirm, this.limit, this.rate, this.overrides);
	}

	/**
	 * Limits the number of replayed jobs.
	 * @param value the largest number
	 * @return a copy with the limit
	 */
	public ReplayOptions limit(long value) {
		return new ReplayOptions(this.dryRun, this.confirm, value, this.rate, this.overrides);
	}

	/**
	 * Limits the rate of publication.
	 * @param value jobs per second
	 * @return a copy with the rate
	 */
	public ReplayOptions rate(double value) {
		return new ReplayOptions(this.dryRun, this.confirm, this.limit, value, this.overrides);
	}

	/**
	 * Changes the replayed jobs.
	 * @param value the changes
	 * @return a copy with the changes
	 */
	public ReplayOptions overrides(ReplayOverrides value) {
		return new ReplayOptions(this.dryRun, this.confirm, this.limit, this.rate, value);
	}

}
