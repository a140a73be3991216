package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Converts times to the precision of databases: microseconds.
 */
public final class Times {

	/**
	 * The latest time that every database can keep, for durations that mean "for ever".
	 */
	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	private Times() {
	}

	/** Truncates a time to microseconds. */
	public static Instant micros(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * Adds a duration to a time, up to the latest time that a database can keep. Compares
	 * seconds: {@link Duration#between} first counts nanoseconds, which overflows for
	 * centuries and costs an exception for each job that ends.
	 */
	public static Instant after(Instant instant, Duration time) {
		long left = LAST.getEpochSecond() - instant.getEpochSecond();
		return (time.getSeconds() < left) ? instant.plus(time) : LAST;
	}

	/**
	 * Truncates a time to microseconds.
	 * @param time the time; may be {@code null}
	 */
	public static @Nullable Instant micros(@Nullable OffsetDateTime time) {
		return (time != null) ? micros(time.toInstant()) : null;
	}

	/**
	 * Converts a time to UTC.
	 * @return the time, to the microsecond, in UTC
	 */
	public static OffsetDateTime utc(Instant instant) {
		return micros(instant).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Converts a time to UTC.
	 * @param instant the time; may be {@code null}
	 * @return the time, to the microsecond, in UTC
	 */
	public static @Nullable OffsetDateTime utcOrNull(@Nullable Instant instant) {
		return (instant != null) ? utc(instant) : null;
	}

}
