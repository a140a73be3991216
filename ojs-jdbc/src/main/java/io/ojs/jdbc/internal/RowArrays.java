package io.ojs.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Many rows as parameters of one PostgreSQL statement: one value for each column that is
 * equal in all rows, and an array for each other column.
 */
final class RowArrays {

	/**
	 * Condition on the subscripts of arrays. It holds for each of them, but the planner
	 * estimates that at most one meets it. So the plan looks up each row by its key, in
	 * the order of the rows, and it is kept. Without the condition, a plan that was made
	 * for few rows would read the whole table after it has grown.
	 */
	static final String ONE_BY_ONE = " where i + 0 = i and i - 0 = i";

	private final List<Column> key;

	private final List<? extends Dialect.Row> rows;

	/** Columns that have the same value in every row. */
	private final List<Column> common = new ArrayList<>();

	private final List<Column> arrays = new ArrayList<>();

	RowArrays(List<Column> key, List<Column> columns, List<? extends Dialect.Row> rows) {
		this.key = key;
		this.rows = rows;
		this.arrays.addAll(key);
		for (Column column : columns) {
			(isCommon(column) ? this.common : this.arrays).add(column);
		}
	}

	private boolean isCommon(Column column) {
		Object first = this.rows.get(0).value(column.name());
		for (Dialect.Row row : this.rows) {
			if (!Objects.equals(first, row.value(column.name()))) {
				return false;
			}
		}
		return true;
	}

	/** The columns with one value. {@link #set} sets their parameters first. */
	List<Column> common() {
		return this.common;
	}

	/** The columns with an array, the key first. */
	List<Column> arrays() {
		return this.arrays;
	}

	/**
	 * Returns the assignments of an update, for all columns but the key. Values from
	 * arrays are those of {@link #keys()} as {@code v}.
	 */
	String assignments() {
		List<Column> different = this.arrays.subList(this.key.size(), this.arrays.size());
		return Stream
			.concat(this.common.stream().map((column) -> column.name() + " = ?::" + column.type()),
					different.stream().map((column) -> column.name() + " = v." + column.name()))
			.collect(Collectors.joining(", "));
	}

	/**
	 * Returns the arrays as a table. It uses subscripts: the planner looks into unnested
	 * arrays, and would make a new plan for each that is shorter than its default
	 * estimate.
	 */
	String table() {
		return select() + ") as a, generate_subscripts(a." + this.arrays.get(0).name() + ", 1) as i)";
	}

	/**
	 * Returns the arrays as a table, for statements that look up each row by its key, in
	 * the order of the rows.
	 */
	String keys() {
		return select() + ") as a, generate_subscripts(a." + this.arrays.get(0).name() + ", 1) as i" + ONE_BY_ONE + ")";
	}

	private String select() {
		StringBuilder sql = new StringBuilder("(select ");
		for (Column column : this.arrays) {
			sql.append("a.").append(column.name()).append("[i] as ").append(column.name()).append(", ");
		}
		sql.setLength(sql.length() - 2);
		sql.append(" from (select ");
		for (Column column : this.arrays) {
			sql.append("?::").append(column.type()).append("[] as ").append(column.name()).append(", ");
		}
		sql.setLength(sql.length() - 2);
		return sql.toString();
	}

	/** Sets all parameters: the single values, and then the arrays. */
	int set(PreparedStatement statement) throws SQLException {
		return setArrays(statement, setCommon(statement, 0));
	}

	/**
	 * Sets the single values.
	 * @param after the index of the last parameter that is set already
	 * @return the index of the last parameter that this method has set
	 */
	int setCommon(PreparedStatement statement, int after) throws SQLException {
		return Column.set(statement, after, this.common, this.rows.get(0));
	}

	/**
	 * Sets the arrays.
	 * @param after the index of the last parameter that is set already
	 * @return the index of the last parameter that this method has set
	 */
	int setArrays(PreparedStatement statement, int after) throws SQLException {
		int index = after;
		for (Column column : this.arrays) {
			@Nullable String[] values = new String[this.rows.size()];
			for (int i = 0; i < values.length; i++) {
				Object value = this.rows.get(i).value(column.name());
				values[i] = (value != null) ? value.toString() : null;
			}
			statement.setArray(++index, statement.getConnection().createArrayOf(column.type(), values));
		}
		return index;
	}

}
