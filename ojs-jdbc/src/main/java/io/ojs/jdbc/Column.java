package io.ojs.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;

import org.jspecify.annotations.Nullable;

/**
 * A column in a statement for one or many rows.
 *
 * @param name its name
 * @param type its type, as PostgreSQL calls it
 * @param sqlType its type, as JDBC calls it
 */
record Column(String name, String type, int sqlType) {

	/**
	 * Sets a parameter, always with the same type: a driver prepares a statement anew
	 * whenever a type changes.
	 */
	void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
		if (value == null) {
			statement.setNull(index, this.sqlType);
		}
		else {
			statement.setObject(index, Times.parameter(value), this.sqlType);
		}
	}

	static Column uuid(String name) {
		return new Column(name, "uuid", Types.OTHER);
	}

	static Column text(String name) {
		return new Column(name, "text", Types.VARCHAR);
	}

	static Column integer(String name) {
		return new Column(name, "int4", Types.INTEGER);
	}

	static Column bigint(String name) {
		return new Column(name, "int8", Types.BIGINT);
	}

	static Column bool(String name) {
		return new Column(name, "bool", Types.BOOLEAN);
	}

	static Column time(String name) {
		return new Column(name, "timestamptz", Types.TIMESTAMP_WITH_TIMEZONE);
	}

}
