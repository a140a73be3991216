package io.ojs.jdbc.internal.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.ojs.event.internal.EventTail;
import io.ojs.internal.engine.JsonText;
import io.ojs.jdbc.internal.StoreDatabase;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The newest events in the table {@code ojs_event}, by its primary key.
 */
public final class JdbcEventTail implements EventTail {

	private static final String SELECT = "select seq, tenant, events from ojs_event where ";

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	public JdbcEventTail(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public long end() {
		Long last = this.database.read("find the newest event",
				() -> this.database.jdbc().queryForObject("select max(seq) from ojs_event", Long.class));
		return (last != null) ? last : 0;
	}

	@Override
	public List<Row> after(long seq, int limit) {
		return this.database.read("read the newest events", () -> this.database.jdbc()
			.query(SELECT + "seq > ? order by seq limit ?", (row, index) -> row(row), seq, limit));
	}

	@Override
	public List<Row> at(Collection<Long> seqs) {
		if (seqs.isEmpty()) {
			return List.of();
		}
		return this.database.read("read events that were committed late",
				() -> this.database.jdbc()
					.query(SELECT + "seq = any(?)",
							(statement) -> statement.setArray(1,
									statement.getConnection().createArrayOf("bigint", seqs.toArray())),
							(row, index) -> row(row)));
	}

	private Row row(ResultSet row) throws SQLException {
		return new Row(row.getLong("seq"), row.getString("tenant"), events(row.getString("events")));
	}

	/** Reads the events of a row. A row that cannot be read has none. */
	private List<Event> events(String text) {
		try {
			return this.json.readObjects(text)
				.stream()
				.map((event) -> new Event(text(event, "type"), text(event, "subject"), text(event, "queue")))
				.toList();
		}
		catch (JacksonException | ClassCastException ex) {
			return List.of();
		}
	}

	private static String text(Map<String, @Nullable Object> event, String name) {
		return String.valueOf(event.get(name));
	}

}
