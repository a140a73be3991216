package io.ojs.web.internal;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.Queue;
import io.ojs.queue.QueueState;
import io.ojs.queue.QueueStats;
import io.ojs.queue.internal.QueueConfigJson;
import org.jspecify.annotations.Nullable;

/**
 * Queues as JSON (OJS Queue Configuration §9, OJS HTTP Binding §11, OJS Admin API §6).
 */
public final class QueueJson {

	private final QueueConfigJson configs = new QueueConfigJson();

	/** Returns the fields that every answer about a queue has. */
	public Map<String, @Nullable Object> state(Queue queue) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("name", queue.name());
		object.put("state", queue.state().wireName());
		object.put("status", queue.state().wireName());
		object.put("paused", queue.state() == QueueState.PAUSED);
		return object;
	}

	public Map<String, @Nullable Object> full(Queue queue) {
		Map<String, @Nullable Object> object = state(queue);
		object.put("config", this.configs.toMap(queue.config()));
		object.put("created_at", time(queue.createdAt()));
		object.put("updated_at", time(queue.updatedAt()));
		return object;
	}

	public QueueConfigJson configs() {
		return this.configs;
	}

	public static Map<String, Object> stats(QueueStats stats) {
		Map<String, Object> object = new LinkedHashMap<>();
		object.put("depth", stats.depth());
		object.put("available", stats.available());
		object.put("active", stats.active());
		object.put("retryable", stats.retryable());
		object.put("scheduled", stats.scheduled());
		object.put("pending", stats.pending());
		object.put("completed_today", stats.completedToday());
		object.put("failed_today", stats.failedToday());
		return object;
	}

	/** Returns the number of jobs in each state, including zeros. */
	public static Map<String, Object> counts(Map<JobState, Long> counts) {
		Map<String, Object> object = new LinkedHashMap<>();
		for (JobState state : JobState.values()) {
			object.put(state.wireName(), counts.getOrDefault(state, 0L));
		}
		return object;
	}

	public static String time(Instant time) {
		return Rfc3339.format(Rfc3339.utc(time));
	}

}
