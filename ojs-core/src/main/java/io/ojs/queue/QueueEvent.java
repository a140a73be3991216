package io.ojs.queue;

import java.util.Map;

import io.ojs.job.Job;
import io.ojs.queue.internal.QueueConfigJson;

/**
 * An event of a queue (OJS Queue Configuration §10.1). The feed keeps it, and listeners
 * in the process that caused it are notified afterwards.
 * <p>
 * A minor version may add kinds of events: a {@code switch} over them needs a
 * {@code default}.
 */
public sealed interface QueueEvent {

	/**
	 * Returns the queue.
	 * @return its name
	 */
	String queue();

	/**
	 * Returns the name of the event in OJS Events.
	 * @return the name, such as {@code queue.paused}
	 */
	String name();

	/**
	 * Returns the data of the event in OJS Events.
	 * @return the data; values of JSON's own types
	 */
	default Map<String, Object> data() {
		return Map.of("queue", queue());
	}

	/**
	 * An operator created the queue.
	 *
	 * @param queue its name
	 * @param config its own configuration
	 */
	record Created(String queue, QueueConfig config) implements QueueEvent {

		@Override
		public String name() {
			return "queue.created";
		}

		@Override
		public Map<String, Object> data() {
			return Map.of("queue", this.queue, "config", new QueueConfigJson().toMap(this.config));
		}

	}

	/**
	 * The draining queue is empty: its last job has ended.
	 *
	 * @param queue its name
	 */
	record Drained(String queue) implements QueueEvent {

		@Override
		public String name() {
			return "queue.drained";
		}

	}

	/**
	 * The drained queue was deleted.
	 *
	 * @param queue its name
	 */
	record Deleted(String queue) implements QueueEvent {

		@Override
		public String name() {
			return "queue.deleted";
		}

	}

	/**
	 * The configuration of the queue, or the default policy, was changed.
	 *
	 * @param queue its name, or {@link JobQueue#DEFAULT_POLICY}
	 * @param before its own configuration before
	 * @param config its own configuration now
	 */
	record ConfigUpdated(String queue, QueueConfig before, QueueConfig config) implements QueueEvent {

		@Override
		public String name() {
			return "queue.config_updated";
		}

		@Override
		public Map<String, Object> data() {
			QueueConfigJson json = new QueueConfigJson();
			return Map.of("queue", this.queue, "config", json.toMap(this.config), "previous_config",
					json.toMap(this.before));
		}

	}

	/**
	 * The queue was paused.
	 *
	 * @param queue its name
	 */
	record Paused(String queue) implements QueueEvent {

		@Override
		public String name() {
			return "queue.paused";
		}

	}

	/**
	 * The queue was resumed.
	 *
	 * @param queue its name
	 */
	record Resumed(String queue) implements QueueEvent {

		@Override
		public String name() {
			return "queue.resumed";
		}

	}

	/**
	 * The queue has no room for another job like the last one.
	 *
	 * @param queue its name
	 * @param depth the jobs in the queue
	 * @param limit {@code max_size} or {@code max_size_bytes}
	 * @param bound the value of that limit
	 */
	record Full(String queue, QueueDepth depth, String limit, long bound) implements QueueEvent {

		@Override
		public String name() {
			return "queue.full";
		}

		@Override
		public Map<String, Object> data() {
			return Map.of("queue", this.queue, "jobs", this.depth.jobs(), "bytes", this.depth.bytes(), this.limit,
					this.bound);
		}

	}

	/**
	 * A job was discarded to make room.
	 *
	 * @param queue its name
	 * @param job the discarded job
	 */
	record Overflow(String queue, Job job) implements QueueEvent {

		@Override
		public String name() {
			return "queue.overflow";
		}

		@Override
		public Map<String, Object> data() {
			return Map.of("queue", this.queue, "job_id", this.job.id(), "job_type", this.job.type());
		}

	}

}
