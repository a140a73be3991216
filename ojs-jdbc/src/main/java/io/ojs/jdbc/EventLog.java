package io.ojs.jdbc;

import java.util.List;

import io.ojs.job.JobIdGenerator;

/**
 * Appends to the feed of events, in the transaction of what they tell. Events of one job
 * or queue are in order, if its row is locked when they are appended.
 */
final class EventLog {

	static final String TABLE = "ojs_event";

	static final List<Column> COLUMNS = List.of(Column.text("id"), Column.text("type"), Column.text("source"),
			Column.time("occurred_at"), Column.text("subject"), Column.text("queue"), Column.text("tenant"),
			Column.text("data"));

	/** Behind a statement of PostgreSQL that returns one row, or none. */
	static final String TELL = "insert into " + TABLE + " (" + Column.names(COLUMNS) + ") select "
			+ Sql.join(COLUMNS, "?::%2$s", ", ") + " from changed";

	private final StoreDatabase database;

	private final JobIdGenerator ids;

	private final JsonText json = new JsonText();

	EventLog(StoreDatabase database) {
		this.database = database;
		this.ids = new JobIdGenerator(database.options().clock());
	}

	void append(List<Event> events) {
		if (!events.isEmpty()) {
			List<Dialect.Row> rows = events.stream().map(this::row).toList();
			this.database.dialect().insert(this.database.jdbc(), TABLE, COLUMNS, rows);
		}
	}

	/** The row of an event, which has its id from now on. */
	Dialect.Row row(Event event) {
		String id = "evt_" + this.ids.next();
		return (column) -> switch (column) {
			case "id" -> id;
			case "type" -> event.type();
			case "source" -> this.database.options().source();
			case "occurred_at" -> Times.micros(event.time());
			case "subject" -> event.subject();
			case "queue" -> event.queue();
			case "tenant" -> event.tenant();
			case "data" -> this.json.write(event.data());
			default -> throw new IllegalArgumentException("No column " + column + ".");
		};
	}

}
