package io.ojs.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * How many dead letters are replayed, and how. Immutable; each method gives a changed
 * copy.
 *
 * @param dryRun whether they are only counted
 * @param confirm whether it is meant; wanted by all but dry runs
 * @param limit how many are replayed at most, at least 1; {@code null} for all
 * @param rate how many jobs a second are published, from 0.001 to 100,000; {@code null}
 * for as fast as the broker takes them
 * @param overrides what is different about them
 */
public record ReplayOptions(boolean dryRun, boolean confirm, @Nullable Long limit, @Nullable Double rate,
		ReplayOverrides overrides) {

	/** Counts, and replays nothing. */
	public static final ReplayOptions DRY_RUN = new ReplayOptions(true, false, null, null, ReplayOverrides.NONE);

	/** Replays all that the filter means, as they are. */
	public static final ReplayOptions CONFIRMED = new ReplayOptions(false, true, null, null, ReplayOverrides.NONE);

	private static final double MIN_RATE = 0.001;

	private static final double MAX_RATE = 100_000;

	/**
	 * Checks the values.
	 * @throws InvalidDeadLetterRequestException if one of them cannot be
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
	 * Replays no more than that.
	 * @param value how many at most
	 * @return options with it
	 */
	public ReplayOptions limit(long value) {
		return new ReplayOptions(this.dryRun, this.confirm, value, this.rate, this.overrides);
	}

	/**
	 * Has them published no faster than that.
	 * @param value jobs a second
	 * @return options with it
	 */
	public ReplayOptions rate(double value) {
		return new ReplayOptions(this.dryRun, this.confirm, this.limit, value, this.overrides);
	}

	/**
	 * Replays them with differences.
	 * @param value what is different
	 * @return options with it
	 */
	public ReplayOptions overrides(ReplayOverrides value) {
		return new ReplayOptions(this.dryRun, this.confirm, this.limit, this.rate, value);
	}

}
