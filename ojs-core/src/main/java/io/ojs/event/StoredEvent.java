package io.ojs.event;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened, as the feed keeps it (OJS Events §3).
 *
 * @param position where in the feed it stands; later events have higher ones
 * @param id {@code evt_} and a UUIDv7
 * @param type such as {@code job.completed}
 * @param source who says so
 * @param time when it happened
 * @param subject the id of the job, or the name of the queue
 * @param queue the queue
 * @param tenant whose it is; {@code null} if it is nobody's
 * @param data what else there is to say; JSON values
 */
public record StoredEvent(long position, String id, String type, String source, Instant time, String subject,
		String queue, @Nullable String tenant, Map<String, @Nullable Object> data) {
}
