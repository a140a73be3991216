package io.ojs.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ojs.engine.FeedEvent;
import io.ojs.engine.JsonText;
import io.ojs.engine.Times;
import io.ojs.job.JobIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Appends to the feed of events, in the transaction of what they tell: one row for all
 * events of a statement that belong to one tenant. Events of one job or queue are in
 * order, if its row is locked when they are appended.
 */
public final class EventLog {

	static final String TABLE = "ojs_event";

	/** What is written of a row; {@code events} is an array of JSON. */
	static final List<Column> COLUMNS = List.of(Column.text("source"), Column.time("occurred_at"),
			Column.text("tenant"), Column.text("events"));

	/** How many events one row holds at most. */
	static final int MOST = 1000;

	/**
	 * Behind a statement of PostgreSQL that returns one row, or none. Without events it
	 * inserts nothing.
	 */
	static final String TELL = "insert into " + TABLE + " (" + Column.names(COLUMNS) + ") select v.* from (select "
			+ Sql.join(COLUMNS, "?::%2$s as %1$s", ", ") + ") as v, changed where v.events is not null";

	private final StoreDatabase database;

	private final JobIdGenerator ids;

	private final JsonText json = new JsonText();

	EventLog(StoreDatabase database) {
		this.database = database;
		this.ids = new JobIdGenerator(database.options().clock());
	}

	/** Appends events, unless there is no feed. */
	public void append(List<FeedEvent> events) {
		insert(rows(events));
	}

	/** Inserts rows of events. */
	void insert(List<Told> rows) {
		if (!rows.isEmpty()) {
			this.database.dialect()
				.insert(this.database.jdbc(), TABLE, COLUMNS, rows.stream().map(Dialect.Row.class::cast).toList());
		}
	}

	/**
	 * Makes rows of events, which have their ids from now on; none if there is no feed.
	 */
	List<Told> rows(List<FeedEvent> events) {
		if (!this.database.options().feed()) {
			return List.of();
		}
		Map<List<@Nullable Object>, List<FeedEvent>> together = events.stream()
			.collect(Collectors.groupingBy(EventLog::together, LinkedHashMap::new, Collectors.toList()));
		List<Told> rows = new ArrayList<>();
		together.values().forEach((all) -> {
			for (int from = 0; from < all.size(); from += MOST) {
				rows.add(told(all.subList(from, Math.min(all.size(), from + MOST))));
			}
		});
		return rows;
	}

	/** The position behind all events that have one. */
	public long end() {
		Long last = this.database.jdbc()
			.queryForObject("select feed_position from ojs_feed where name = 'events'", Long.class);
		return ((Objects.requireNonNull(last) + 1) << JdbcEventFeed.PLACE_BITS) - 1;
	}

	private static List<@Nullable Object> together(FeedEvent event) {
		return Arrays.asList(event.tenant(), event.time());
	}

	/**
	 * Makes a row of events, which have their ids from now on.
	 * @param events the events, 1 to {@link #MOST}, of one tenant and one time
	 */
	Told told(List<FeedEvent> events) {
		FeedEvent first = events.get(0);
		String text = this.database.options().feed() ? events.stream().map(this::text).collect(Collectors.joining(","))
				: null;
		return new Told(this.database.options().source(), Times.micros(first.time()), first.tenant(), text);
	}

	private String text(FeedEvent event) {
		Map<String, @Nullable Object> text = new LinkedHashMap<>();
		text.put("id", "evt_" + this.ids.next());
		text.put("type", event.type());
		text.put("subject", event.subject());
		text.put("queue", event.queue());
		// A text of its own: what of it cannot be read must not hide the others.
		text.put("data", this.json.write(event.data()));
		return this.json.write(text);
	}

	/**
	 * What is told in one row.
	 *
	 * @param source who says so
	 * @param time when it happened
	 * @param tenant whose it is; {@code null} without a tenant
	 * @param events JSON, with commas between them; {@code null} if there is no feed
	 */
	record Told(String source, Instant time, @Nullable String tenant, @Nullable String events) implements Dialect.Row {

		@Override
		public @Nullable Object value(String column) {
			return switch (column) {
				case "source" -> this.source;
				case "occurred_at" -> this.time;
				case "tenant" -> this.tenant;
				case "events" -> (this.events != null) ? "[" + this.events + "]" : null;
				default -> throw new IllegalArgumentException("No column " + column + ".");
			};
		}

	}

}
