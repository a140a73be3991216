package io.ojs.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.internal.engine.Times;
import io.ojs.store.UnsupportedDatabaseException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ParameterizedPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.RowMapper;

/**
 * The supported databases, and the SQL in which they differ.
 */
public enum Dialect {

	/** Takes a list of rows as one array for each column. */
	POSTGRESQL("PostgreSQL") {

		@Override
		public void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows) {
			if (rows.size() < MANY) {
				String sql = Sql.updateOfOne(table, key, values);
				List<Column> columns = Sql.concat(values, key);
				batch(jdbc, sql, rows, (statement, row) -> Column.set(statement, 0, columns, row));
				return;
			}
			RowArrays arrays = new RowArrays(key, values, rows);
			jdbc.update(updateOfMany(table, key, arrays), arrays::set);
		}

		@Override
		public void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows,
				EventLog.Told told) {
			String tell = "with told as (" + Sql.insertionOfOne(EventLog.TABLE, EventLog.COLUMNS) + ") ";
			if (rows.size() == 1) {
				jdbc.update(tell + Sql.updateOfOne(table, key, values), (statement) -> Column.set(statement,
						Column.set(statement, 0, EventLog.COLUMNS, told), Sql.concat(values, key), rows.get(0)));
				return;
			}
			RowArrays arrays = new RowArrays(key, values, rows);
			jdbc.update(tell + updateOfMany(table, key, arrays), (statement) -> arrays.setArrays(statement,
					arrays.setCommon(statement, Column.set(statement, 0, EventLog.COLUMNS, told))));
		}

		private static String updateOfMany(String table, List<Column> key, RowArrays arrays) {
			return "update %s t set %s from %s as v where %s".formatted(table, arrays.assignments(), arrays.keys(),
					Sql.join(key, "t.%1$s = v.%1$s", " and "));
		}

		@Override
		public void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			if (rows.size() == 1) {
				jdbc.update(Sql.insertionOfOne(table, columns), row(rows.get(0), columns));
				return;
			}
			RowArrays arrays = rowArrays(columns, rows);
			jdbc.update(insertion(table, arrays), arrays::set);
		}

		@Override
		Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			String unlessThere = " on conflict (id) do nothing returning id";
			RowMapper<UUID> id = (row, index) -> row.getObject(1, UUID.class);
			if (rows.size() == 1) {
				return new HashSet<>(
						jdbc.query(Sql.insertionOfOne(table, columns) + unlessThere, row(rows.get(0), columns), id));
			}
			RowArrays arrays = rowArrays(columns, rows);
			return new HashSet<>(jdbc.query(insertion(table, arrays) + unlessThere, arrays::set, id));
		}

		@Override
		public void lockKeys(JdbcTemplate jdbc, String table, String column, Collection<String> keys) {
			jdbc.update(
					"insert into %1$s (%2$s) select unnest(?::text[]) on conflict (%2$s) do update set %2$s = excluded.%2$s"
						.formatted(table, column),
					(statement) -> statement.setArray(1,
							statement.getConnection().createArrayOf("text", keys.toArray(String[]::new))));
		}

		@Override
		List<UniqueProbe.Match> find(JdbcTemplate jdbc, List<UniqueProbe> probes) {
			// The index has only ended_as, since jobs that have ended may be many.
			List<Column> columns = Sql.concat(PROBE, List.of(Column.text("ended_as")));
			String key = "v.unique_key and ended_as = v.ended_as";
			String sql = "select v.candidate, j.id from unnest(%s) as v (%s) cross join lateral (%s) as j"
				.formatted(Sql.arrays(columns), Column.names(columns), SAME_KEY.formatted(key, "v.state", "v.since"));
			return jdbc.query(sql, columns(List.copyOf(probes), columns), MATCH);
		}

		private RowArrays rowArrays(List<Column> columns, List<Row> rows) {
			return new RowArrays(columns.subList(0, 1), columns.subList(1, columns.size()), rows);
		}

		private String insertion(String table, RowArrays arrays) {
			return "insert into %s (%s) select %s from %s as v".formatted(table,
					Column.names(Sql.concat(arrays.common(), arrays.arrays())),
					Stream
						.concat(arrays.common().stream().map((column) -> "?::" + column.type()),
								arrays.arrays().stream().map((column) -> "v." + column.name()))
						.collect(Collectors.joining(", ")),
					arrays.table());
		}

	},

	/** Takes rows one by one. */
	H2("H2") {

		@Override
		public void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows) {
			jdbc.batchUpdate(Sql.updateOfOne(table, key, values),
					rows.stream().map((row) -> parameters(row, Sql.concat(values, key))).toList());
		}

		@Override
		public void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			jdbc.batchUpdate(Sql.insertionOfOne(table, columns),
					rows.stream().map((row) -> parameters(row, columns)).toList());
		}

		@Override
		Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows) {
			Set<UUID> inserted = new HashSet<>();
			for (Row row : rows) {
				try {
					jdbc.update(Sql.insertionOfOne(table, columns), parameters(row, columns));
					inserted.add((UUID) row.value("id"));
				}
				catch (DuplicateKeyException ex) {
					// On H2 only the statement has failed, not the transaction.
					continue;
				}
			}
			return inserted;
		}

		@Override
		public void lockKeys(JdbcTemplate jdbc, String table, String column, Collection<String> keys) {
			for (String key : keys) {
				while (jdbc
					.queryForList("select 1 from %s where %s = ? for update".formatted(table, column), Integer.class,
							key)
					.isEmpty()) {
					try {
						jdbc.update("insert into %s (%s) values (?)".formatted(table, column), key);
					}
					catch (DuplicateKeyException ex) {
						// Another transaction was faster: the next query waits for it.
						continue;
					}
				}
			}
		}

		@Override
		List<UniqueProbe.Match> find(JdbcTemplate jdbc, List<UniqueProbe> probes) {
			// One statement, so that no job changes its state between two queries.
			String one = "select cast(? as uuid) as candidate, j.id from (%s) as j"
				.formatted(SAME_KEY.formatted("?", "?", "?"));
			String sql = probes.stream().map((probe) -> one).collect(Collectors.joining(" union all "));
			Object[] parameters = probes.stream().flatMap((probe) -> Arrays.stream(parameters(probe, PROBE))).toArray();
			return probes.isEmpty() ? List.of() : jdbc.query(sql, MATCH, parameters);
		}

	};

	/**
	 * From this number of rows on, one statement for all costs less than one for each.
	 */
	private static final int MANY = 8;

	private static final List<Column> PROBE = List.of(Column.uuid("candidate"), Column.text("unique_key"),
			Column.text("state"), Column.time("since"));

	private static final RowMapper<UniqueProbe.Match> MATCH = (row,
			index) -> new UniqueProbe.Match(row.getObject(1, UUID.class), row.getObject(2, UUID.class));

	/** The newest jobs with a key. The limit bounds the query when many have ended. */
	private static final String SAME_KEY = "select id from ojs_job where unique_key = %s and state = %s "
			+ "and created_at > %s order by created_at desc limit 10";

	private final String product;

	Dialect(String product) {
		this.product = product;
	}

	/**
	 * Finds the dialect of a database.
	 * @throws UnsupportedDatabaseException if the database is not supported
	 */
	public static Dialect of(Connection connection) throws SQLException {
		String name = connection.getMetaData().getDatabaseProductName();
		return Arrays.stream(values())
			.filter((dialect) -> dialect.product.equals(name))
			.findFirst()
			.orElseThrow(() -> new UnsupportedDatabaseException(name,
					Arrays.stream(values()).map((dialect) -> dialect.product).collect(Collectors.joining(", "))));
	}

	/**
	 * Returns a query for a row by its id.
	 * @param lock the lock that lasts until the transaction ends, such as " for update"
	 * @return a query whose parameter is the id
	 */
	static String byId(String columns, String lock) {
		return "select %s from ojs_job where id = ?%s".formatted(columns, lock);
	}

	/**
	 * Returns a query for rows by their ids, in the order of the ids.
	 * @param lock the lock that lasts until the transaction ends, such as " for update"
	 * @return a query whose parameter is the array of ids
	 */
	public String byIds(String columns, String lock) {
		return byIds("ojs_job", columns, lock);
	}

	/** Like {@link #byIds(String, String)}, for another table whose key is {@code id}. */
	public String byIds(String table, String columns, String lock) {
		if (this == POSTGRESQL) {
			// Each id by itself: PostgreSQL plans a list of ids as a scan while the table
			// is small, and keeps the plan when the table has grown. By subscripts: the
			// planner looks into an unnested array, finds it shorter than its default
			// estimate, and makes a new plan each time.
			return "select j.* from (select a.ids[i] as id from (select ?::uuid[] as ids) as a, "
					+ "generate_subscripts(a.ids, 1) as i order by 1) as k "
					+ "cross join lateral (select %s from %s where id = k.id limit 1%s) as j".formatted(columns, table,
							lock);
		}
		return "select %s from %s where id = any(?) order by id%s".formatted(columns, table, lock);
	}

	/** Updates the rows that their keys identify. */
	public abstract void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows);

	/**
	 * Updates the rows that their keys identify, and appends their events; with one
	 * statement if the database allows it.
	 */
	public void update(JdbcTemplate jdbc, String table, List<Column> key, List<Column> values, List<Row> rows,
			EventLog.Told told) {
		insert(jdbc, EventLog.TABLE, EventLog.COLUMNS, List.of(told));
		update(jdbc, table, key, values, rows);
	}

	/**
	 * Notes that the broker has jobs. A row changes only if the job is available and its
	 * {@code relay_at} is still what it was when the job was published. Waits for no
	 * lock: a row that another transaction has locked stays as it is.
	 * @param untils the expected {@code relay_at} of each job, by its id
	 * @param now since when the broker has the jobs
	 */
	public void published(JdbcTemplate jdbc, Map<UUID, Instant> untils, Instant now) {
		List<Row> rows = untils.entrySet()
			.stream()
			.map((job) -> (Row) (column) -> column.equals("id") ? job.getKey() : job.getValue())
			.toList();
		String update = "update ojs_job t set relay_at = null, published_at = ? ";
		// No index serves 'is not distinct from', so the planner has to use the index of
		// the ids, whatever its statistics say. Most of these lookups find nothing.
		String free = "(select t.id from ojs_job t where t.id = %s and t.relay_at is not distinct from %s "
				+ "and t.state = 'available' limit 1 for update skip locked)";
		if (this == POSTGRESQL && rows.size() >= MANY) {
			RowArrays arrays = new RowArrays(List.of(Column.uuid("id"), Column.time("relay_at")), List.of(), rows);
			String sql = update + "from (select l.id from " + arrays.keys() + " as k cross join lateral "
					+ free.formatted("k.id", "k.relay_at") + " as l) as v where t.id = v.id";
			jdbc.update(sql, (statement) -> {
				statement.setObject(1, Times.utc(now));
				arrays.setArrays(statement, 1);
			});
			return;
		}
		batch(jdbc, update + "where t.id = " + free.formatted("?", "?"), rows, (statement, row) -> {
			statement.setObject(1, Times.utc(now));
			statement.setObject(2, row.value("id"));
			statement.setObject(3, SqlTimes.parameter(row.value("relay_at")));
		});
	}

	/** Inserts rows. */
	public abstract void insert(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows);

	/** Draws numbers for jobs of ordered queues, the lowest first. */
	List<Long> ordinals(JdbcTemplate jdbc, int count) {
		String rows = (this == POSTGRESQL) ? "generate_series(1, ?)" : "system_range(1, ?)";
		return jdbc.queryForList("select nextval('ojs_job_ordinal') from " + rows, Long.class, count)
			.stream()
			.sorted()
			.toList();
	}

	/** Inserts a row unless its key is taken. */
	public void insertUnlessThere(JdbcTemplate jdbc, String insert, Object... values) {
		if (this == POSTGRESQL) {
			jdbc.update(insert + " on conflict do nothing", values);
			return;
		}
		try {
			jdbc.update(insert, values);
		}
		catch (DuplicateKeyException ex) {
			// On H2 only the statement has failed, not the transaction.
			return;
		}
	}

	/** Inserts the row that the relay locks for an ordered queue, unless it is there. */
	public void insertOrderLock(JdbcTemplate jdbc, String queue) {
		if (this == POSTGRESQL) {
			jdbc.update("insert into ojs_relay_order (queue) values (?) on conflict do nothing", queue);
			return;
		}
		try {
			jdbc.update("merge into ojs_relay_order l using (values (cast(? as varchar(128)))) as v (queue) "
					+ "on l.queue = v.queue when not matched then insert (queue) values (v.queue)", queue);
		}
		catch (DuplicateKeyException ex) {
			// Another transaction has inserted the row, and only the statement has
			// failed.
			return;
		}
	}

	/** Inserts a row unless its key is taken, and returns whether it did. */
	public boolean insertIfAbsent(JdbcTemplate jdbc, String table, List<Column> columns, Row row) {
		String sql = "insert into %s (%s) values (%s)%s".formatted(table, Column.names(columns),
				Sql.join(columns, "?", ", "), (this == POSTGRESQL) ? " on conflict do nothing" : "");
		try {
			return jdbc.update(sql, parameters(row, columns)) == 1;
		}
		catch (DuplicateKeyException ex) {
			// On H2 only: the statement has failed, not the transaction.
			return false;
		}
	}

	/** Inserts the rows whose id is not taken, and returns their ids. */
	abstract Set<UUID> insertNew(JdbcTemplate jdbc, String table, List<Column> columns, List<Row> rows);

	/**
	 * Locks keys one after another, and inserts missing rows. Other transactions that
	 * lock one of these keys wait until this transaction ends.
	 */
	public abstract void lockKeys(JdbcTemplate jdbc, String table, String column, Collection<String> keys);

	/** Finds existing jobs that new unique jobs would meet. */
	abstract List<UniqueProbe.Match> find(JdbcTemplate jdbc, List<UniqueProbe> probes);

	/** The values of one row. */
	public interface Row {

		/**
		 * Returns the value of a column.
		 * @return a UUID, string, number, point in time or {@code null}
		 */
		@Nullable Object value(String column);

	}

	/** Returns a setter of ids as one array parameter, for {@code id = any(?)}. */
	public static PreparedStatementSetter ids(Collection<UUID> ids) {
		return (statement) -> statement.setArray(1, statement.getConnection().createArrayOf("uuid", ids.toArray()));
	}

	/** Returns a setter of texts as one array parameter, for {@code key = any(?)}. */
	public static PreparedStatementSetter texts(Collection<String> texts) {
		return (statement) -> statement.setArray(1,
				statement.getConnection().createArrayOf("varchar", texts.toArray(String[]::new)));
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

	private static PreparedStatementSetter row(Row row, List<Column> columns) {
		return (statement) -> Column.set(statement, 0, columns, row);
	}

	private static @Nullable Object[] parameters(Row row, List<Column> columns) {
		return columns.stream().map((column) -> SqlTimes.parameter(row.value(column.name()))).toArray();
	}

	private static <T> void batch(JdbcTemplate jdbc, String sql, List<T> rows,
			ParameterizedPreparedStatementSetter<T> setter) {
		if (rows.size() == 1) {
			jdbc.update(sql, (statement) -> setter.setValues(statement, rows.get(0)));
		}
		else {
			jdbc.batchUpdate(sql, rows, rows.size(), setter);
		}
	}

}
