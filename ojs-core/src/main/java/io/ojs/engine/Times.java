package io.ojs.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Points in time as stores keep them: to the microsecond.
 */
public final class Times {

	/** Durations that people write may mean "for ever". */
	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	private Times() {
	}

	/**
	 * A moment as it is kept.
	 * @param instant the moment
	 * @return the same, to the microsecond
	 */
	public static Instant micros(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * A moment after another, or the last one that a database keeps for certain. In
	 * seconds, since {@link Duration#between} counts nanoseconds first, and centuries of
	 * them do not fit: it throws and catches an exception, which for each job that ends
	 * is dear.
	 */
	public static Instant after(Instant instant, Duration time) {
		long left = LAST.getEpochSecond() - instant.getEpochSecond();
		return (time.getSeconds() < left) ? instant.plus(time) : LAST;
	}

	/**
	 * A moment as it is kept.
	 * @param time the moment, or none
	 * @return the same, to the microsecond
	 */
	public static @Nullable Instant micros(@Nullable OffsetDateTime time) {
		return (time != null) ? micros(time.toInstant()) : null;
	}

	/**
	 * A moment as it is shown.
	 * @param instant the moment
	 * @return the same, to the microsecond, in UTC
	 */
	public static OffsetDateTime utc(Instant instant) {
		return micros(instant).atOffset(ZoneOffset.UTC);
	}

	/**
	 * A moment as it is shown.
	 * @param instant the moment, or none
	 * @return the same, to the microsecond, in UTC
	 */
	public static @Nullable OffsetDateTime utcOrNull(@Nullable Instant instant) {
		return (instant != null) ? utc(instant) : null;
	}

}
