package io.ojs.job.internal;

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

import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes timestamps as OJS does: RFC 3339 with a zone, at least to the
 * millisecond (OJS JSON Format §5).
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

	/** RFC 3339 allows any number of digits; Java has nanoseconds. */
	private static final Pattern BEYOND_NANOSECONDS = Pattern.compile("(\\.\\d{9})\\d+");

	private static final String USUAL = "0000-00-00T00:00:00.000Z";

	private static final int NANOS_PER_MILLI = 1_000_000;

	private Rfc3339() {
	}

	/**
	 * Reads a timestamp and keeps its offset.
	 * @param field the name of the field, for the error
	 * @param text such as {@code 2026-03-15T09:30:00Z} or
	 * {@code 2026-03-15T09:30:00+02:00}
	 * @throws InvalidJobException if the text is not RFC 3339, has no zone, or its year
	 * in UTC is not written with four digits
	 */
	public static OffsetDateTime parse(String field, @Nullable String text) {
		if (text != null) {
			OffsetDateTime usual = usual(text);
			if (usual != null) {
				return usual;
			}
			try {
				return JobRules.time(field,
						OffsetDateTime.parse(BEYOND_NANOSECONDS.matcher(text).replaceFirst("$1"), READ));
			}
			catch (DateTimeParseException ex) {
				throw new InvalidJobException(field, text,
						"must be an RFC 3339 timestamp with a zone, such as 2026-03-15T09:30:00Z", ex);
			}
		}
		throw new InvalidJobException(field, null, "must be an RFC 3339 timestamp with a zone");
	}

	/**
	 * Reads a timestamp of the usual form, {@code 2026-03-15T09:30:00.123Z}. Every job
	 * has several, and a formatter takes a thirtieth of the time that a job takes.
	 * @return the point in time; {@code null} if the form is different in any way
	 */
	private static @Nullable OffsetDateTime usual(String text) {
		if (text.length() != USUAL.length()) {
			return null;
		}
		for (int i = 0; i < USUAL.length(); i++) {
			char expected = USUAL.charAt(i);
			char found = text.charAt(i);
			if ((expected == '0') ? (found < '0' || found > '9') : found != expected) {
				return null;
			}
		}
		int year = number(text, 0, 4);
		int month = number(text, 5, 7);
		int day = number(text, 8, 10);
		int hour = number(text, 11, 13);
		int minute = number(text, 14, 16);
		int second = number(text, 17, 19);
		// The formatter decides whether a month has the days after the 28th, and reports
		// errors.
		if (month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59) {
			return null;
		}
		int nanos = number(text, 20, 23) * NANOS_PER_MILLI;
		return OffsetDateTime.of(year, month, day, hour, minute, second, nanos, ZoneOffset.UTC);
	}

	private static int number(String text, int begin, int end) {
		int number = 0;
		for (int i = begin; i < end; i++) {
			number = number * 10 + text.charAt(i) - '0';
		}
		return number;
	}

	/**
	 * Writes a timestamp.
	 * @return its text, with at least three digits after the second
	 */
	public static String format(OffsetDateTime time) {
		boolean usual = time.getOffset() == ZoneOffset.UTC && time.getNano() % NANOS_PER_MILLI == 0
				&& time.getYear() >= 0 && time.getYear() <= 9999;
		return usual ? usual(time) : WRITE.format(time);
	}

	/**
	 * Writes a time in UTC, to the millisecond.
	 * @return its text, with three digits after the second
	 */
	public static String format(Instant time) {
		return format(utc(time));
	}

	private static String usual(OffsetDateTime time) {
		char[] text = USUAL.toCharArray();
		digits(text, 0, 4, time.getYear());
		digits(text, 5, 7, time.getMonthValue());
		digits(text, 8, 10, time.getDayOfMonth());
		digits(text, 11, 13, time.getHour());
		digits(text, 14, 16, time.getMinute());
		digits(text, 17, 19, time.getSecond());
		digits(text, 20, 23, time.getNano() / NANOS_PER_MILLI);
		return new String(text);
	}

	private static void digits(char[] text, int begin, int end, int number) {
		int left = number;
		for (int i = end - 1; i >= begin; i--) {
			text[i] = (char) ('0' + left % 10);
			left /= 10;
		}
	}

	/**
	 * Converts an instant to the precision of this library: UTC, to the millisecond. So
	 * the written value equals the one in memory.
	 * @return the same instant in UTC without microseconds
	 */
	public static OffsetDateTime utc(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
	}

}
