package io.ojs.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Where databases differ.
 */
enum Dialect {

	/** Takes a list of rows as one array for each column. */
	POSTGRESQL("PostgreSQL") {

		@Override
		void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows) {
			String sql = "update %s t set %s from unnest(%s) as v (%s) where %s".formatted(table,
					join(values, "%1$s = v.%1$s", ", "), arrays(concat(key, values)), names(concat(key, values)),
					join(key, "t.%1$s = v.%1$s", " and "));
			jdbc.update(sql, columns(rows, concat(key, values)));
		}

		@Override
		void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			jdbc.update(insertion(table, columns), columns(rows, columns));
		}

		@Override
		Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			String sql = insertion(table, columns) + " on conflict (id) do nothing returning id";
			return new HashSet<>(jdbc.query(sql, columns(rows, columns), (rs, n) -> rs.getObject(1, UUID.class)));
		}

		private String insertion(String table, List<Column> columns) {
			return "insert into %s (%s) select * from unnest(%s)".formatted(table, names(columns), arrays(columns));
		}

	},

	/** Takes rows one by one. */
	H2("H2") {

		@Override
		void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows) {
			String sql = "update %s set %s where %s".formatted(table, join(values, "%s = ?", ", "),
					join(key, "%s = ?", " and "));
			jdbc.batchUpdate(sql, rows.stream().map((row) -> parameters(row, concat(values, key))).toList());
		}

		@Override
		void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			jdbc.batchUpdate(insertion(table, columns), rows.stream().map((row) -> parameters(row, columns)).toList());
		}

		@Override
		Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			Set<UUID> inserted = new HashSet<>();
			for (Row row : rows) {
				try {
					jdbc.update(insertion(table, columns), parameters(row, columns));
					inserted.add((UUID) row.value("id"));
				}
				catch (DuplicateKeyException ex) {
					// Only the statement has failed here, not the transaction.
					continue;
				}
			}
			return inserted;
		}

		private String insertion(String table, List<Column> columns) {
			return "insert into %s (%s) values (%s)".formatted(table, names(columns), join(columns, "?", ", "));
		}

	};

	private final String product;

	Dialect(String product) {
		this.product = product;
	}

	/**
	 * Finds the dialect of a database.
	 * @param connection a connection to it
	 * @return the dialect
	 * @throws UnsupportedDatabaseException if there is none for it
	 */
	static Dialect of(Connection connection) throws SQLException {
		String name = connection.getMetaData().getDatabaseProductName();
		return Arrays.stream(values())
			.filter((dialect) -> dialect.product.equals(name))
			.findFirst()
			.orElseThrow(() -> new UnsupportedDatabaseException(name,
					Arrays.stream(values()).map((dialect) -> dialect.product).collect(Collectors.joining(", "))));
	}

	/** Updates rows that are known by their key. */
	abstract void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows);

	abstract void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows);

	/** Inserts the rows whose id is not taken, and tells which. */
	abstract Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows);

	/** The values of one row. */
	interface Row {

		/**
		 * The value of a column.
		 * @param column its name
		 * @return a UUID, string, number, point in time or {@code null}
		 */
		@Nullable Object value(String column);

	}

	/**
	 * The ids as one parameter, for {@code id = any(?)}.
	 */
	static PreparedStatementSetter ids(Collection<UUID> ids) {
		return (statement) -> statement.setArray(1, statement.getConnection().createArrayOf("uuid", ids.toArray()));
	}

	private static PreparedStatementSetter columns(List<Row> rows, List<Column> columns) {
		return (statement) -> {
			for (int c = 0; c < columns.size(); c++) {
				@Nullable String[] values = new String[rows.size()];
				for (int r = 0; r < values.length; r++) {
					Object value = rows.get(r).value(columns.get(c).name());
					values[r] = (value != null) ? value.toString() : null;
				}
				statement.setArray(c + 1, statement.getConnection().createArrayOf(columns.get(c).type(), values));
			}
		};
	}

	private static @Nullable Object[] parameters(Row row, List<Column> columns) {
		return columns.stream().map((column) -> Times.parameter(row.value(column.name()))).toArray();
	}

	private static List<Column> concat(List<Column> first, List<Column> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	private static String arrays(List<Column> columns) {
		return columns.stream().map((column) -> "?::%s[]".formatted(column.type())).collect(Collectors.joining(", "));
	}

	private static String names(List<Column> columns) {
		return join(columns, "%s", ", ");
	}

	private static String join(List<Column> columns, String format, String delimiter) {
		return columns.stream().map((column) -> format.formatted(column.name())).collect(Collectors.joining(delimiter));
	}

}
