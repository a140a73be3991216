package io.ojs.queue.lifecycle;

import java.util.Map;

import io.ojs.job.Job;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueConfigJson;
import io.ojs.queue.QueueDepth;

/**
 * Something happened to a queue (OJS Queue Configuration §10.1). Kept in the feed of
 * events, and told in the process that did it, after it has happened.
 */
public sealed interface QueueEvent {

	/**
	 * The queue.
	 * @return its name
	 */
	String queue();

	/**
	 * The name of the event in OJS Events.
	 * @return such as {@code queue.paused}
	 */
	String name();

	/**
	 * What there is to say.
	 * @return the data of the event in OJS Events: values that are JSON's own
	 */
	default Map<String, Object> data() {
		return Map.of("queue", queue());
	}

	/**
	 * Somebody created the queue.
	 *
	 * @param queue its name
	 * @param config what was said about it
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
	 * The queue took no more jobs, and its last one has ended.
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
	 * The queue was empty, and is deleted.
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
	 * @param queue its name, or {@link Queue#DEFAULT_POLICY}
	 * @param before what was said about it
	 * @param config what is said about it now
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
	 * The queue has no room for another job like the one that it has just taken.
	 *
	 * @param queue its name
	 * @param depth what is in it
	 * @param limit {@code max_size} or {@code max_size_bytes}
	 * @param bound that limit
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
	 * @param job the job that had to go
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
