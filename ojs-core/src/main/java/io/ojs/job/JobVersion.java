package io.ojs.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.job.internal.VersionKey;
import org.jspecify.annotations.Nullable;

/**
 * The version of a job's arguments (OJS Job Versioning §5): {@code major.minor}. A
 * handler for an old version can read arguments of a new minor version, but not of a new
 * major version.
 *
 * @param major 0 to 999999999
 * @param minor 0 to 999999999
 */
public record JobVersion(int major, int minor) implements Comparable<JobVersion> {

	/** The name of the field in the envelope. */
	public static final String FIELD = "version";

	/** The lowest version. */
	public static final JobVersion LOWEST = new JobVersion(0, 0);

	private static final String RULE = "must be a version, major.minor in a string such as \"2.0\", or an integer for "
			+ "the major one alone (each at most 9 digits)";

	private static final Pattern TEXT = Pattern.compile("(0|[1-9]\\d{0,8})(?:\\.(0|[1-9]\\d{0,8}))?");

	/**
	 * Checks the numbers.
	 * @throws InvalidJobException if one is out of range
	 */
	public JobVersion {
		if (major < 0 || major >= VersionKey.NUMBERS || minor < 0 || minor >= VersionKey.NUMBERS) {
			throw new InvalidJobException(FIELD, major + "." + minor, RULE);
		}
	}

	/**
	 * Parses a version.
	 * @param text such as {@code 2.0}; {@code 2} is the same
	 * @return the version
	 * @throws InvalidJobException if the text is not a version
	 */
	public static JobVersion parse(String text) {
		return find(text).orElseThrow(() -> new InvalidJobException(FIELD, text, RULE));
	}

	static Optional<JobVersion> find(String text) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			return Optional.empty();
		}
		String minor = matcher.group(2);
		return Optional
			.of(new JobVersion(Integer.parseInt(matcher.group(1)), (minor != null) ? Integer.parseInt(minor) : 0));
	}

	/**
	 * Reads the version of a job from the field of its envelope.
	 * @param value a string such as {@code 2.0}, or a whole number such as 2, which means
	 * {@code 2.0}; {@code null} for none
	 * @return the version; {@code null} if there is none
	 * @throws InvalidJobException if the value is not a version
	 */
	public static @Nullable JobVersion of(@Nullable Object value) {
		if (value == null) {
			return null;
		}
		if (value instanceof String || value instanceof Integer) {
			return find(value.toString()).orElseThrow(() -> new InvalidJobException(FIELD, value, RULE));
		}
		throw new InvalidJobException(FIELD, value, RULE);
	}

	@Override
	public int compareTo(JobVersion other) {
		return Long.compare(VersionKey.of(this), VersionKey.of(other));
	}

	/**
	 * The version as text.
	 * @return {@code major.minor}
	 */
	@Override
	public String toString() {
		return this.major + "." + this.minor;
	}

}
