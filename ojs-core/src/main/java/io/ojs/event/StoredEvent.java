package io.ojs.event;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event in the feed (OJS Events §3).
 *
 * @param position the position in the feed; later events have higher ones
 * @param id {@code evt_} and a UUIDv7
 * @param type such as {@code job.completed}
 * @param source the application that recorded the event: a URI
 * @param time when it happened
 * @param subject the id of the job, or the name of the queue
 * @param queue the queue
 * @param tenant the tenant of the job; {@code null} if there is none
 * @param data further JSON values
 */
public record StoredEvent(long position, String id, String type, String source, Instant time, String subject,
		String queue, @Nullable String tenant, Map<String, @Nullable Object> data) {
}
