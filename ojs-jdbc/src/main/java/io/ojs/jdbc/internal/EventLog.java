package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.job.JobIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Appends events to the feed, in the transaction of the change that they report. One row
 * holds all events of a statement that belong to one tenant. The events of one job or
 * queue are in order if the caller has locked its row.
 */
public final class EventLog {

	/** Bits for the place of an event among the {@link EventLog#MOST} of its row. */
	public static final int PLACE_BITS = 10;

	public static final String TABLE = "ojs_event";

	/** The columns that an insert writes; {@code events} is a JSON array. */
	public static final List<Column> COLUMNS = List.of(Column.text("source"), Column.time("occurred_at"),
			Column.text("tenant"), Column.text("events"));

	/** The most events that one row holds. */
	public static final int MOST = 1000;

	/**
	 * Inserts events after the PostgreSQL statement {@code changed} of the same query,
	 * which returns one row or none. Inserts nothing if it returns none, or if there are
	 * no events.
	 */
	public static final String TELL = "insert into " + TABLE + " (" + Column.names(COLUMNS)
			+ ") select v.* from (select " + Sql.join(COLUMNS, "?::%2$s as %1$s", ", ")
			+ ") as v, changed where v.events is not null";

	private final StoreDatabase database;

	private final JobIdGenerator ids;

	private final JsonText json = new JsonText();

	public EventLog(StoreDatabase database) {
		this.database = database;
		this.ids = new JobIdGenerator(database.options().clock());
	}

	/** Appends events; does nothing without a feed. */
	public void append(List<FeedEvent> events) {
		insert(rows(events));
	}

	public void insert(List<Told> rows) {
		if (!rows.isEmpty()) {
			this.database.dialect().insert(this.database.jdbc(), TABLE, COLUMNS, List.copyOf(rows));
		}
	}

	/** Makes rows of events, which get their ids here. Makes none without a feed. */
	public List<Told> rows(List<FeedEvent> events) {
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

	/**
	 * Returns the position at which the feed ends, behind all events that have a
	 * position.
	 */
	public long end() {
		Long last = this.database.jdbc()
			.queryForObject("select feed_position from ojs_feed where name = 'events'", Long.class);
		return ((Objects.requireNonNull(last) + 1) << PLACE_BITS) - 1;
	}

	private static List<@Nullable Object> together(FeedEvent event) {
		return Arrays.asList(event.tenant(), event.time());
	}

	/**
	 * Makes one row of events, which get their ids here.
	 * @param events 1 to {@link #MOST} events of one tenant and one time
	 */
	public Told told(List<FeedEvent> events) {
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
		// A string of its own: data that cannot be read must not hide the other fields.
		text.put("data", this.json.write(event.data()));
		return this.json.write(text);
	}

	/**
	 * The events of one row.
	 *
	 * @param source the source of the events: a URI of the application
	 * @param tenant the tenant that they belong to; {@code null} without a tenant
	 * @param events their JSON, separated by commas; {@code null} if there is no feed
	 */
	public record Told(String source, Instant time, @Nullable String tenant,
			@Nullable String events) implements Dialect.Row {

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
