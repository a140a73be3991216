package io.ojs.jdbc.internal.admin;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.StoreDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;

/**
 * The indexes that an operator has added for searches. Asks the database once a minute.
 */
final class JobIndexes {

	private static final long EVERY = Duration.ofMinutes(1).toNanos();

	private final StoreDatabase database;

	private volatile @Nullable Known known;

	JobIndexes(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * Whether there is an index on a column and {@code id}.
	 * @return whether it has all jobs with a value in the column
	 */
	boolean has(String column) {
		Known present = this.known;
		if (present == null || System.nanoTime() - present.at() > EVERY) {
			Set<String> columns = this.database.jdbc().execute((ConnectionCallback<Set<String>>) this::read);
			present = new Known((columns != null) ? columns : Set.of(), System.nanoTime());
			this.known = present;
		}
		return present.columns().contains(column);
	}

	private Set<String> read(Connection connection) throws SQLException {
		String table = (this.database.dialect() == Dialect.H2) ? JobRows.TABLE.toUpperCase(Locale.ROOT) : JobRows.TABLE;
		Map<String, List<String>> indexes = new HashMap<>();
		try (ResultSet set = connection.getMetaData()
			.getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
			while (set.next()) {
				String column = String.valueOf(set.getString("COLUMN_NAME")).toLowerCase(Locale.ROOT);
				String condition = set.getString("FILTER_CONDITION");
				List<String> columns = indexes.computeIfAbsent(String.valueOf(set.getString("INDEX_NAME")),
						(name) -> new ArrayList<>());
				columns.add(column);
				if (condition != null && !condition.equalsIgnoreCase("(%s is not null)".formatted(columns.get(0)))) {
					// It has not all jobs.
					columns.add(condition);
				}
			}
		}
		Set<String> leading = new HashSet<>();
		indexes.values()
			.stream()
			.filter((columns) -> columns.size() == 2 && columns.get(1).equals("id"))
			.forEach((columns) -> leading.add(columns.get(0)));
		return leading;
	}

	/**
	 * What the database said last.
	 *
	 * @param columns the first columns of the indexes
	 * @param at when it was asked, by {@link System#nanoTime()}
	 */
	private record Known(Set<String> columns, long at) {
	}

}
