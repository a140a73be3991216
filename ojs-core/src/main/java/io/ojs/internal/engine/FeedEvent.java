package io.ojs.internal.engine;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event to be appended to the feed.
 *
 * @param type the type, such as {@code job.completed}
 * @param time when it happened
 * @param subject the id of the job, or the name of the queue
 * @param queue the queue
 * @param tenant the tenant of the job; {@code null} without a tenant
 * @param data further data; JSON values
 */
public record FeedEvent(String type, Instant time, String subject, String queue, @Nullable String tenant,
		Map<String, ? extends @Nullable Object> data) {
}
