package io.ojs.event;

import java.util.List;

/**
 * A part of the feed (OJS Events §3).
 *
 * @param events the events that were wanted; none does not mean that there are no more
 * @param position the position to go on after
 * @param more whether there may be more events now
 */
public record EventPage(List<StoredEvent> events, long position, boolean more) {
}
