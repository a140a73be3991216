package io.ojs.event;

import org.jspecify.annotations.Nullable;
import java.util.List;
import java.util.Set;

/**
 * Reads the events of jobs and queues of all processes. The events of each job and queue
 * are in order.
 */
public interface EventFeed {

	/**
	 * Reads events after a position, for about a second at most. Unlike {@link #after},
	 * the next call passes over what this one has looked at, wanted or not.
	 * @param position the position of the last page or event that was read; 0 for the
	 * beginning
	 * @param types only events of these types, such as {@code job.completed} or
	 * {@code job.*}; empty for all
	 * @param queues only events of these queues; empty for all
	 * @param tenant only events of this tenant, as it may see them: without names of
	 * processes; {@code null} for all
	 * @param limit the most events to return, 1 to 1000
	 * @return the next events; no event before the position of the page is added later
	 */
	EventPage page(long position, Set<String> types, Set<String> queues, @Nullable String tenant, int limit);

	/**
	 * Reads the events after a position, however long it takes to find one.
	 * @param position the position of the last event that was read; 0 for the beginning
	 * @param types only events of these types; empty for all
	 * @param queues only events of these queues; empty for all
	 * @param tenant only events of this tenant; {@code null} for all
	 * @param limit the most events to return, 1 to 1000
	 * @return the next events; no event before the last of them is added later
	 */
	default List<StoredEvent> after(long position, Set<String> types, Set<String> queues, @Nullable String tenant,
			int limit) {
		EventPage page = page(position, types, queues, tenant, limit);
		while (page.events().isEmpty() && page.more()) {
			page = page(page.position(), types, queues, tenant, limit);
		}
		return page.events();
	}

	/**
	 * Reads the events of all tenants after a position.
	 * @param position the position of the last event that was read; 0 for the beginning
	 * @param types only events of these types; empty for all
	 * @param queues only events of these queues; empty for all
	 * @param limit the most events to return, 1 to 1000
	 * @return the next events
	 */
	default List<StoredEvent> after(long position, Set<String> types, Set<String> queues, int limit) {
		return after(position, types, queues, null, limit);
	}

	/**
	 * Whether the type of an event matches.
	 * @param wanted a type, or {@code job.*} for all types that begin with {@code job.}
	 * @param type the type of the event
	 * @return whether it matches
	 */
	static boolean isOf(String wanted, String type) {
		return wanted.endsWith(".*") ? type.startsWith(wanted.substring(0, wanted.length() - 1)) : wanted.equals(type);
	}

}
