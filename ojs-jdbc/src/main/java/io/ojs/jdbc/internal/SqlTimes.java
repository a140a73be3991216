package io.ojs.jdbc.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

import io.ojs.internal.engine.Times;
import org.jspecify.annotations.Nullable;

/**
 * Converts points in time for JDBC drivers, which know {@link OffsetDateTime} and not
 * {@link Instant}.
 */
public final class SqlTimes {

	private SqlTimes() {
	}

	/** Converts a value to one that a driver takes as a parameter. */
	public static @Nullable Object parameter(@Nullable Object value) {
		return (value instanceof Instant instant) ? Times.utc(instant) : value;
	}

	/** Reads a column that is never null. */
	public static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	/** Reads a column that may be null. */
	public static @Nullable Instant read(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	public static @Nullable Instant read(ResultSet row, int column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
