package io.ojs.web.internal.queue;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueState;
import io.ojs.queue.QueueStats;
import io.ojs.queue.internal.QueueConfigJson;
import io.ojs.web.internal.ResponseJson;
import org.jspecify.annotations.Nullable;

/**
 * Queues as JSON (OJS Queue Configuration §9, OJS HTTP Binding §11, OJS Admin API §6).
 */
public final class QueueJson {

	private final QueueConfigJson configs = new QueueConfigJson();

	/** Returns the fields that every answer about a queue has. */
	public Map<String, @Nullable Object> state(JobQueue queue) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("name", queue.name());
		object.put("state", queue.state().wireName());
		object.put("status", queue.state().wireName());
		object.put("paused", queue.state() == QueueState.PAUSED);
		return object;
	}

	public Map<String, @Nullable Object> full(JobQueue queue) {
		Map<String, @Nullable Object> object = state(queue);
		object.put("config", this.configs.toMap(queue.config()));
		object.put("created_at", ResponseJson.time(queue.createdAt()));
		object.put("updated_at", ResponseJson.time(queue.updatedAt()));
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

}
