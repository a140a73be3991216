package io.ojs.jdbc.internal.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.event.EventFeed;
import io.ojs.event.EventPage;
import io.ojs.event.StoredEvent;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.log.SafeLogger;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.EventLog;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.tenant.internal.TenantWorkers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.core.JacksonException;

/**
 * The feed of events in a database. A row holds the events of one statement. The position
 * of an event is that of its row, shifted left by {@link #EventLog.PLACE_BITS} bits, plus
 * its place in the row.
 *
 * <p>
 * Transactions commit in another order than they write. So a row gets its position when
 * it is read, and only if it is committed; one reader at a time assigns positions. A row
 * that is committed later gets a higher position, however long its transaction took. The
 * rows of one job or queue keep the order in which they were written, since each
 * transaction locks the job or queue first.
 */
public final class JdbcEventFeed implements EventFeed {

	private static final int MAX_LIMIT = 1000;

	/** How many rows get a position in one transaction. */
	private static final int CHUNK = 1000;

	/** How many rows the first query reads. */
	private static final int FIRST_PAGE = 2;

	/** How many rows a query reads if each has one event; no query reads more. */
	private static final int LAST_PAGE = 500;

	/** How long a page is looked for. */
	private static final Duration LONGEST = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(JdbcEventFeed.class);

	private static final List<Column> KEY = List.of(Column.bigint("seq"));

	private static final List<Column> POSITION = List.of(Column.bigint("feed_position"));

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	private final Duration longest;

	public JdbcEventFeed(StoreDatabase database) {
		this(database, LONGEST);
	}

	/**
	 * Creates the feed.
	 * @param longest how long a page is looked for
	 */
	public JdbcEventFeed(StoreDatabase database, Duration longest) {
		this.database = database;
		this.longest = longest;
	}

	@Override
	public EventPage page(long position, Set<String> types, Set<String> queues, @Nullable String tenant, int limit) {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit + ".");
		}
		long began = System.nanoTime();
		List<StoredEvent> events = new ArrayList<>();
		long from = position >> EventLog.PLACE_BITS;
		long reached = position;
		int page = FIRST_PAGE;
		boolean more = number();
		while (true) {
			List<EventRow> rows = read(from, types, queues, tenant, page);
			int seen = 0;
			for (EventRow row : rows) {
				List<Map<String, @Nullable Object>> all = all(row);
				for (int place = 0; place < all.size() && events.size() < limit; place++) {
					long at = (row.position() << EventLog.PLACE_BITS) + place;
					Map<String, @Nullable Object> event = all.get(place);
					if (at > position
							&& (types.isEmpty()
									|| types.stream().anyMatch((type) -> EventFeed.isOf(type, text(event, "type"))))
							&& (queues.isEmpty() || queues.contains(text(event, "queue")))) {
						events.add(event(at, row, event, tenant));
					}
				}
				if (events.size() == limit) {
					return new EventPage(events, events.get(limit - 1).position(), true);
				}
				seen += all.size();
				from = row.position() + 1;
				reached = Math.max(reached, (from << EventLog.PLACE_BITS) - 1);
			}
			if (rows.size() < page) {
				if (!more) {
					return new EventPage(events, reached, false);
				}
				more = number();
			}
			if (System.nanoTime() - began >= this.longest.toNanos()) {
				return new EventPage(events, reached, true);
			}
			// About the same number of events for each query, whether a row has one or
			// many.
			page = Math.min(LAST_PAGE, Math.max(1, LAST_PAGE * rows.size() / Math.max(1, seen)));
		}
	}

	private boolean number() {
		return this.database.writeAlone("order events", this::numberOldest) == CHUNK;
	}

	/**
	 * Gives positions to the oldest rows that have none. Locks nothing if there are none.
	 */
	private int numberOldest() {
		if (unnumbered(1).isEmpty()) {
			return 0;
		}
		Long last = this.database.jdbc()
			.queryForObject("select feed_position from ojs_feed where name = 'events' for update", Long.class);
		// Read again under the lock: another reader may have numbered these rows.
		List<Long> found = unnumbered(CHUNK);
		if (found.isEmpty() || last == null) {
			return 0;
		}
		List<Dialect.Row> rows = new ArrayList<>(found.size());
		for (Long seq : found) {
			long next = last + rows.size() + 1;
			rows.add((column) -> column.equals("seq") ? seq : (Object) next);
		}
		this.database.dialect().update(this.database.jdbc(), EventLog.TABLE, KEY, POSITION, rows);
		this.database.jdbc().update("update ojs_feed set feed_position = ? where name = 'events'", last + found.size());
		return found.size();
	}

	private List<Long> unnumbered(int limit) {
		return this.database.jdbc()
			.queryForList("select seq from ojs_event where feed_position is null order by seq limit " + limit,
					Long.class);
	}

	/**
	 * Reads the next rows. Those that cannot contain wanted events, judging by their
	 * text, have no events.
	 */
	private List<EventRow> read(long from, Set<String> types, Set<String> queues, @Nullable String tenant, int limit) {
		StringBuilder where = new StringBuilder("feed_position >= ?");
		List<Object> parameters = new ArrayList<>(List.of(from));
		if (tenant != null) {
			where.append(" and tenant = ?");
			parameters.add(tenant);
		}
		List<String> conditions = new ArrayList<>();
		List<Object> likes = new ArrayList<>();
		for (List<String> patterns : List.of(types.stream().map((type) -> like(type)).toList(),
				queues.stream().map(this::like).toList())) {
			if (!patterns.isEmpty()) {
				conditions.add("(" + String.join(" or ", Collections.nCopies(patterns.size(), "events like ?")) + ")");
				likes.addAll(patterns);
			}
		}
		String events = likes.isEmpty() ? "events"
				: "case when " + String.join(" and ", conditions) + " then events else '[]' end as events";
		parameters.addAll(0, likes);
		return this.database.read("read events", () -> this.database.jdbc()
			.query("select feed_position, source, occurred_at, tenant, " + events + " from ojs_event where " + where
					+ " order by feed_position limit " + limit,
					(row, index) -> new EventRow(row.getLong("feed_position"), row.getString("source"),
							SqlTimes.instant(row, "occurred_at"), row.getString("tenant"), row.getString("events")),
					parameters.toArray()));
	}

	/**
	 * Returns a pattern for a JSON string; for all strings that begin with it, if it ends
	 * with {@code .*}.
	 */
	private String like(String wanted) {
		String quoted = this.json.write(wanted);
		String start = wanted.endsWith(".*") ? quoted.substring(0, quoted.length() - 2) : quoted;
		return "%" + start.replaceAll("([\\\\%_])", "\\\\$1") + "%";
	}

	private StoredEvent event(long position, EventRow row, Map<String, @Nullable Object> event,
			@Nullable String tenant) {
		Map<String, @Nullable Object> data = data(text(event, "data"));
		data = (tenant != null) ? TenantWorkers.hideOthers(data, tenant) : data;
		return new StoredEvent(position, text(event, "id"), text(event, "type"), row.source(), row.time(),
				text(event, "subject"), text(event, "queue"), row.tenant(), data);
	}

	/**
	 * Reads the events of a row. A row that cannot be read has none, so that it does not
	 * hide later rows.
	 */
	private List<Map<String, @Nullable Object>> all(EventRow row) {
		try {
			return this.json.readObjects(row.events());
		}
		catch (JacksonException | ClassCastException ex) {
			logger.warn("Row {} of ojs_event cannot be read, and its events are left out.", row.position(), ex);
			return List.of();
		}
	}

	private static String text(Map<String, @Nullable Object> event, String name) {
		return String.valueOf(event.get(name));
	}

	/** Reads the data of an event. The event stays in the feed if they cannot be read. */
	private Map<String, @Nullable Object> data(String text) {
		try {
			return this.json.readObject(text);
		}
		catch (JacksonException ex) {
			return Map.of("data_omitted", true);
		}
	}

	/**
	 * Events that were written together.
	 *
	 * @param position the position of their row in the feed
	 * @param tenant the tenant that they belong to; {@code null} without a tenant
	 */
	private record EventRow(long position, String source, Instant time, @Nullable String tenant, String events) {
	}

}
