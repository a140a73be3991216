package io.ojs.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.event.EventFeed;
import io.ojs.event.StoredEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import tools.jackson.core.JacksonException;

/**
 * The feed of events in a database.
 *
 * <p>
 * Transactions end in another order than they write in. Events are therefore given their
 * positions when somebody reads them, one reader at a time, and only those that are
 * committed: what is committed later gets a higher position, however long it took. Of one
 * job or queue they stay in the order in which they were written, since its row was
 * locked.
 */
public final class JdbcEventFeed implements EventFeed {

	private static final int MAX_LIMIT = 1000;

	/** How many events are given a position at once. */
	private static final int CHUNK = 1000;

	private static final List<Column> KEY = List.of(Column.bigint("seq"));

	private static final List<Column> POSITION = List.of(Column.bigint("feed_position"));

	private final StoreDatabase database;

	private final NamedParameterJdbcTemplate named;

	private final RowMapper<StoredEvent> mapper;

	/**
	 * Creates the feed.
	 * @param database where the events are kept
	 */
	public JdbcEventFeed(StoreDatabase database) {
		this.database = database;
		this.named = new NamedParameterJdbcTemplate(database.jdbc());
		JsonText json = new JsonText();
		this.mapper = (row, index) -> new StoredEvent(row.getLong("feed_position"), row.getString("id"),
				row.getString("type"), row.getString("source"), Times.instant(row, "occurred_at"),
				row.getString("subject"), row.getString("queue"), row.getString("tenant"),
				data(json, row.getString("data")));
	}

	/** One that was written and cannot be read must not hide all behind it. */
	private static Map<String, @Nullable Object> data(JsonText json, String text) {
		try {
			return json.readObject(text);
		}
		catch (JacksonException ex) {
			return Map.of("data_omitted", true);
		}
	}

	@Override
	public List<StoredEvent> after(long position, Set<String> types, Set<String> queues, @Nullable String tenant,
			int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit + ".");
		}
		List<StoredEvent> events = new ArrayList<>(read(position, types, queues, tenant, limit));
		boolean more = true;
		while (more && events.size() < limit) {
			more = this.database.writeAlone("order events", this::number);
			long last = events.isEmpty() ? position : events.get(events.size() - 1).position();
			events.addAll(read(last, types, queues, tenant, limit - events.size()));
		}
		return events;
	}

	/**
	 * Gives positions to the oldest events that have none.
	 * @return whether there may be more of them
	 */
	private boolean number() {
		Long last = this.database.jdbc()
			.queryForObject("select feed_position from ojs_feed where name = 'events' for update", Long.class);
		List<Long> found = this.database.jdbc()
			.queryForList("select seq from ojs_event where feed_position is null order by seq limit " + CHUNK,
					Long.class);
		if (found.isEmpty() || last == null) {
			return false;
		}
		List<Dialect.Row> rows = new ArrayList<>(found.size());
		for (Long seq : found) {
			long next = last + rows.size() + 1;
			rows.add((column) -> column.equals("seq") ? seq : (Object) next);
		}
		this.database.dialect().update(this.database.jdbc(), "ojs_event", KEY, POSITION, rows);
		this.database.jdbc().update("update ojs_feed set feed_position = ? where name = 'events'", last + found.size());
		return found.size() == CHUNK;
	}

	private List<StoredEvent> read(long position, Set<String> types, Set<String> queues, @Nullable String tenant,
			int limit) {
		StringBuilder sql = new StringBuilder("select feed_position, id, type, source, occurred_at, subject, queue, "
				+ "tenant, data from ojs_event where feed_position > :position");
		MapSqlParameterSource parameters = new MapSqlParameterSource("position", position).addValue("limit", limit);
		if (!types.isEmpty()) {
			List<String> conditions = new ArrayList<>();
			for (String type : types) {
				String name = "type" + conditions.size();
				boolean family = type.endsWith(".*");
				conditions.add(family ? "substring(type from 1 for char_length(:%1$s)) = :%1$s".formatted(name)
						: "type = :" + name);
				parameters.addValue(name, family ? type.substring(0, type.length() - 1) : type);
			}
			sql.append(" and (").append(String.join(" or ", conditions)).append(")");
		}
		if (!queues.isEmpty()) {
			sql.append(" and queue in (:queues)");
			parameters.addValue("queues", queues);
		}
		if (tenant != null) {
			sql.append(" and tenant = :tenant");
			parameters.addValue("tenant", tenant);
		}
		sql.append(" order by feed_position limit :limit");
		return this.database.read("read events", () -> this.named.query(sql.toString(), parameters, this.mapper));
	}

}
