package io.ojs.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A column in a statement for one or many rows.
 *
 * @param name its name
 * @param type its PostgreSQL type
 * @param sqlType its JDBC type, one of {@link Types}
 */
public record Column(String name, String type, int sqlType) {

	/**
	 * Sets a parameter, always with the type of this column: a driver prepares a
	 * statement again whenever the type of a parameter changes.
	 */
	void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
		if (value == null) {
			statement.setNull(index, this.sqlType);
		}
		else {
			statement.setObject(index, SqlTimes.parameter(value), this.sqlType);
		}
	}

	/**
	 * Sets one parameter for each column.
	 * @param after the index of the last parameter that is set already
	 * @return the index of the last parameter that this method has set
	 */
	static int set(PreparedStatement statement, int after, List<Column> columns, Dialect.Row row) throws SQLException {
		int index = after;
		for (Column column : columns) {
			column.set(statement, ++index, row.value(column.name()));
		}
		return index;
	}

	/** Joins the names of columns with commas. */
	static String names(List<Column> columns) {
		return columns.stream().map(Column::name).collect(Collectors.joining(", "));
	}

	/** A column of type {@code uuid}. */
	public static Column uuid(String name) {
		return new Column(name, "uuid", Types.OTHER);
	}

	/** A column of type {@code text}. */
	public static Column text(String name) {
		return new Column(name, "text", Types.VARCHAR);
	}

	/** A column of type {@code int4}. */
	public static Column integer(String name) {
		return new Column(name, "int4", Types.INTEGER);
	}

	/** A column of type {@code int8}. */
	public static Column bigint(String name) {
		return new Column(name, "int8", Types.BIGINT);
	}

	/** A column of type {@code bool}. */
	public static Column bool(String name) {
		return new Column(name, "bool", Types.BOOLEAN);
	}

	/** A column of type {@code timestamptz}. */
	public static Column time(String name) {
		return new Column(name, "timestamptz", Types.TIMESTAMP_WITH_TIMEZONE);
	}

}
