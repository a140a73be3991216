package io.ojs.boot.it;

/**
 * The feed of events as rows, one for each event, in the terms of PostgreSQL.
 */
final class EventRows {

	/** In place of a table. */
	static final String ALL = "(select e.occurred_at, x.event ->> 'type' as type, x.event ->> 'subject' as subject, "
			+ "x.event ->> 'data' as data from ojs_event e "
			+ "cross join lateral json_array_elements(cast(e.events as json)) as x (event)) as told";

	private EventRows() {
	}

}
