package io.ojs.event;

import org.jspecify.annotations.Nullable;
import java.util.List;
import java.util.Set;

/**
 * What happened to jobs and queues, in order for each of them, whoever did it.
 */
public interface EventFeed {

	/**
	 * Reads on.
	 * @param position where the last page ended; 0 for the beginning
	 * @param types only events of these types, such as {@code job.completed} or
	 * {@code job.*}; empty for all
	 * @param queues only events of these queues; empty for all
	 * @param tenant only events of this tenant; {@code null} for all
	 * @param limit how many at most, 1 to 1000
	 * @return the next events. None is missing that could still come before the last of
	 * them: what transactions that are under way have written is waited for
	 */
	List<StoredEvent> after(long position, Set<String> types, Set<String> queues, @Nullable String tenant, int limit);

	/**
	 * Reads on, whatever tenant events belong to.
	 * @param position where the last page ended; 0 for the beginning
	 * @param types only events of these types; empty for all
	 * @param queues only events of these queues; empty for all
	 * @param limit how many at most, 1 to 1000
	 * @return the next events
	 */
	default List<StoredEvent> after(long position, Set<String> types, Set<String> queues, int limit) {
		return after(position, types, queues, null, limit);
	}

	/**
	 * Whether an event is of a type, or of a kind of them.
	 * @param wanted a type, or {@code job.*} for all that begin with {@code job.}
	 * @param type the type of the event
	 * @return whether it is
	 */
	static boolean isOf(String wanted, String type) {
		return wanted.endsWith(".*") ? type.startsWith(wanted.substring(0, wanted.length() - 1)) : wanted.equals(type);
	}

}
