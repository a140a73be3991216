package io.ojs.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Many rows as parameters of one statement of PostgreSQL: what all of them have in common
 * as one value, all else as an array for each column.
 */
final class RowArrays {

	/**
	 * Behind the subscripts of arrays: true of each, and the planner takes them for one
	 * at most. So it looks up each by its key, in their order, and keeps that plan. It
	 * would read all there is for many if it was made when there was little.
	 */
	static final String ONE_BY_ONE = " where i + 0 = i and i - 0 = i";

	private final List<Column> key;

	private final List<? extends Dialect.Row> rows;

	/** Of which every row has the same value. */
	private final List<Column> common = new ArrayList<>();

	private final List<Column> arrays = new ArrayList<>();

	/**
	 * Creates it.
	 * @param key columns that are arrays in any case; one or more
	 * @param columns the others
	 * @param rows the rows; one or more
	 */
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

	/** What all have in common; its parameters come first. */
	List<Column> common() {
		return this.common;
	}

	/** What is different, the key first. */
	List<Column> arrays() {
		return this.arrays;
	}

	/**
	 * What an update sets to the values of the rows: all columns but the key. What is
	 * different is read from {@link #keys()} as {@code v}.
	 */
	String assignments() {
		List<Column> different = this.arrays.subList(this.key.size(), this.arrays.size());
		return Stream
			.concat(this.common.stream().map((column) -> column.name() + " = ?::" + column.type()),
					different.stream().map((column) -> column.name() + " = v." + column.name()))
			.collect(Collectors.joining(", "));
	}

	/**
	 * A table of what is different. By subscripts: the planner looks into arrays that are
	 * unnested, and would make a new plan for each that is shorter than arrays usually
	 * are.
	 */
	String table() {
		return select() + ") as a, generate_subscripts(a." + this.arrays.get(0).name() + ", 1) as i)";
	}

	/**
	 * A table of what is different, for statements that look up each of them by its key,
	 * in their order.
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

	/**
	 * Sets all parameters: what is common, and then the arrays.
	 * @return how many there are
	 */
	int set(PreparedStatement statement) throws SQLException {
		return setArrays(statement, setCommon(statement, 0));
	}

	/**
	 * Sets what is common.
	 * @param after the index of the parameter before
	 * @return the index of the last one
	 */
	int setCommon(PreparedStatement statement, int after) throws SQLException {
		return Column.set(statement, after, this.common, this.rows.get(0));
	}

	/**
	 * Sets the arrays.
	 * @param after the index of the parameter before
	 * @return the index of the last one
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
