package io.ojs.job;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Points in time as OJS writes them: RFC 3339 with a zone, milliseconds at least (OJS
 * JSON Format §5).
 */
public final class Rfc3339 {

	private static final DateTimeFormatter READ = new DateTimeFormatterBuilder().parseCaseInsensitive()
		.appendValue(ChronoField.YEAR, 4)
		.appendPattern("-MM-dd'T'HH:mm:ss")
		.optionalStart()
		.appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
		.optionalEnd()
		.appendOffset("+HH:MM", "Z")
		.toFormatter()
		.withResolverStyle(ResolverStyle.STRICT);

	private static final DateTimeFormatter WRITE = new DateTimeFormatterBuilder().appendValue(ChronoField.YEAR, 4)
		.appendPattern("-MM-dd'T'HH:mm:ss")
		.appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true)
		.appendOffset("+HH:MM", "Z")
		.toFormatter();

	/** RFC 3339 allows any number of digits; a clock here has nine. */
	private static final Pattern BEYOND_NANOSECONDS = Pattern.compile("(\\.\\d{9})\\d+");

	private Rfc3339() {
	}

	/**
	 * Reads a timestamp and keeps its offset.
	 * @param field the field that it stands in, for the error
	 * @param text such as {@code 2026-03-15T09:30:00Z} or
	 * {@code 2026-03-15T09:30:00+02:00}
	 * @return the point in time
	 * @throws InvalidJobException if it is not RFC 3339 or has no zone
	 */
	public static OffsetDateTime parse(String field, @Nullable String text) {
		if (text != null) {
			try {
				return OffsetDateTime.parse(BEYOND_NANOSECONDS.matcher(text).replaceFirst("$1"), READ);
			}
			catch (DateTimeParseException ex) {
				throw new InvalidJobException(field, text,
						"must be an RFC 3339 timestamp with a zone, such as 2026-03-15T09:30:00Z", ex);
			}
		}
		throw new InvalidJobException(field, null, "must be an RFC 3339 timestamp with a zone");
	}

	/**
	 * Writes a timestamp.
	 * @param time a point in time
	 * @return its text, with at least three digits after the second
	 */
	public static String format(OffsetDateTime time) {
		return WRITE.format(time);
	}

	/**
	 * A moment as this library makes them: UTC, to the millisecond, so that what is
	 * written is what was held in memory.
	 * @param instant a moment
	 * @return the same moment in UTC without microseconds
	 */
	public static OffsetDateTime utc(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
	}

}
