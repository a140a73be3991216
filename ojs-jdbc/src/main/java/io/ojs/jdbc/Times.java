package io.ojs.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Points in time as databases keep them: to the microsecond.
 */
final class Times {

	/** Durations that people write may mean "for ever". */
	private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

	private Times() {
	}

	static Instant micros(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MICROS);
	}

	/**
	 * A moment after another, or the last one that a database keeps for certain. In
	 * seconds, since {@link Duration#between} counts nanoseconds first, and centuries of
	 * them do not fit: it throws and catches an exception, which for each job that ends
	 * is dear.
	 */
	static Instant after(Instant instant, Duration time) {
		long left = LAST.getEpochSecond() - instant.getEpochSecond();
		return (time.getSeconds() < left) ? instant.plus(time) : LAST;
	}

	static @Nullable Instant micros(@Nullable OffsetDateTime time) {
		return (time != null) ? micros(time.toInstant()) : null;
	}

	static OffsetDateTime utc(Instant instant) {
		return micros(instant).atOffset(ZoneOffset.UTC);
	}

	static @Nullable OffsetDateTime utcOrNull(@Nullable Instant instant) {
		return (instant != null) ? utc(instant) : null;
	}

	/** Drivers know {@link OffsetDateTime} and not {@link Instant}. */
	static @Nullable Object parameter(@Nullable Object value) {
		return (value instanceof Instant instant) ? utc(instant) : value;
	}

	static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	static @Nullable Instant read(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
