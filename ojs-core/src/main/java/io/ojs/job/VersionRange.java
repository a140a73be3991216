package io.ojs.job;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.job.internal.VersionKey;
import org.jspecify.annotations.Nullable;

/**
 * A range of versions that a worker can run (OJS Job Versioning §8.1): {@code *} for all,
 * {@code 2.0} for this one alone, {@code >=1.0}, {@code <3.0}, or both bounds, separated
 * by a space or a comma.
 *
 * <p>
 * Ranges that have no version in common are ordered by their versions.
 *
 * @param from the first version
 * @param before the bound after the last version, exclusive; {@code null} for none
 */
public record VersionRange(JobVersion from, @Nullable JobVersion before) implements Comparable<VersionRange> {

	/** All versions. */
	public static final VersionRange ALL = new VersionRange(JobVersion.LOWEST, null);

	private static final Comparator<VersionRange> ORDER = Comparator.comparing(VersionRange::from)
		.thenComparing(VersionRange::before, Comparator.nullsLast(Comparator.naturalOrder()));

	private static final String FIELD = "versions";

	private static final String RULE = "must be *, a version such as 2.0, or bounds such as >=1.0 <3.0 "
			+ "(only >= and < bound a range, each at most once)";

	/** One bound: the operator and the version. */
	private static final Pattern BOUND = Pattern.compile("(>=|<)\\s*([0-9.]+)");

	private static final Pattern BOUNDS = Pattern.compile("%1$s(?:(?:\\s*,\\s*|\\s+)%1$s)?".formatted(BOUND.pattern()));

	/**
	 * Checks the bounds.
	 * @throws InvalidJobException if there is no version between them
	 */
	public VersionRange {
		if (before != null && before.compareTo(from) <= 0) {
			throw new InvalidJobException(FIELD, text(from, before),
					"must have a version in it: the bound after < must be greater than the one after >=");
		}
	}

	/**
	 * Creates a range with a single version.
	 * @param version the version
	 * @return the range
	 */
	public static VersionRange only(JobVersion version) {
		return new VersionRange(version, next(version));
	}

	/** The next version; {@code null} for the highest one. */
	private static @Nullable JobVersion next(JobVersion version) {
		try {
			return VersionKey.version(VersionKey.of(version) + 1);
		}
		catch (InvalidJobException ex) {
			return null;
		}
	}

	/**
	 * Parses a range.
	 * @param text the range
	 * @return the range
	 * @throws InvalidJobException if the text is not a range, or has no version in it
	 */
	public static VersionRange parse(String text) {
		String trimmed = text.strip();
		if (trimmed.equals("*")) {
			return ALL;
		}
		return JobVersion.find(trimmed).map(VersionRange::only).orElseGet(() -> bounds(trimmed, text));
	}

	private static VersionRange bounds(String trimmed, String text) {
		if (!BOUNDS.matcher(trimmed).matches()) {
			throw new InvalidJobException(FIELD, text, RULE);
		}
		JobVersion from = null;
		JobVersion before = null;
		Matcher bounds = BOUND.matcher(trimmed);
		while (bounds.find()) {
			boolean lower = bounds.group(1).equals(">=");
			if ((lower ? from : before) != null) {
				throw new InvalidJobException(FIELD, text, RULE);
			}
			JobVersion version = JobVersion.find(bounds.group(2))
				.orElseThrow(() -> new InvalidJobException(FIELD, text, RULE));
			from = lower ? version : from;
			before = lower ? before : version;
		}
		return new VersionRange((from != null) ? from : JobVersion.LOWEST, before);
	}

	/**
	 * Whether the range contains a version.
	 * @param version a version
	 * @return whether it lies between the bounds
	 */
	public boolean contains(JobVersion version) {
		return version.compareTo(this.from) >= 0 && (this.before == null || version.compareTo(this.before) < 0);
	}

	/**
	 * Whether this range and another one have a version in common.
	 * @param other another range
	 * @return whether there is one
	 */
	public boolean overlaps(VersionRange other) {
		return contains(other.from) || other.contains(this.from);
	}

	@Override
	public int compareTo(VersionRange other) {
		return ORDER.compare(this, other);
	}

	/**
	 * The text of the range, as {@link #parse} reads it.
	 * @return such as {@code >=1.0 <3.0}
	 */
	@Override
	public String toString() {
		return text(this.from, this.before);
	}

	private static String text(JobVersion from, @Nullable JobVersion before) {
		if (before == null) {
			return from.equals(JobVersion.LOWEST) ? "*" : ">=" + from;
		}
		if (VersionKey.of(before) == VersionKey.of(from) + 1) {
			return from.toString();
		}
		return (from.equals(JobVersion.LOWEST) ? "" : ">=" + from + " ") + "<" + before;
	}

}
