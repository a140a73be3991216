package io.ojs.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Many rows as parameters of one statement of PostgreSQL: what all of them have in common
 * as one value, all else as an array for each column.
 */
final class RowArrays {

	/**
	 * The end of {@code (select ?::uuid[] as id}: a number for each element, and the
	 * planner knows how many there are. Without their number they seem to be so many,
	 * because of two more series of one element, that it never finds a plan cheap enough
	 * to keep it.
	 */
	static final String COUNTED = ", ?::int4 as n) as a, generate_series(1, a.n) as i, "
			+ "generate_series(a.n, a.n) as one, generate_series(a.n, a.n) as other";

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
	 * A table of what is different, for statements whose plan is to be kept. The planner
	 * looks into arrays that are unnested, and would make a new plan for each that is
	 * shorter than arrays usually are.
	 */
	String table() {
		return select() + ") as a, generate_subscripts(a." + this.arrays.get(0).name() + ", 1) as i)";
	}

	/**
	 * A table of what is different, for statements whose plan is not to be kept. One more
	 * parameter comes last: the number of rows.
	 */
	String counted() {
		return select() + COUNTED + ")";
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
		int index = 0;
		for (Column column : this.common) {
			column.set(statement, ++index, this.rows.get(0).value(column.name()));
		}
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
