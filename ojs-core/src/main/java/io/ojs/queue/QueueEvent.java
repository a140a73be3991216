package io.ojs.queue;

import io.ojs.job.Job;

/**
 * Something happened to a queue (OJS Queue Configuration §10.1). Told in the process that
 * did it, after it has happened.
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
	 * There was no room for a job.
	 *
	 * @param queue its name
	 * @param depth what was in it
	 * @param limit {@code max_size} or {@code max_size_bytes}
	 * @param bound that limit
	 */
	record Full(String queue, QueueDepth depth, String limit, long bound) implements QueueEvent {

		@Override
		public String name() {
			return "queue.full";
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

	}

}
