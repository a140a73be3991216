package io.ojs.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Points in time as databases keep them: to the microsecond.
 */
final class Times {

	private Times() {
	}

	static Instant micros(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MICROS);
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
