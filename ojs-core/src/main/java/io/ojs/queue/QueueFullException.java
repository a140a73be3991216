package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * There is no room in the queue (OJS Queue Configuration §6.1): {@code QUEUE_FULL}.
 */
public final class QueueFullException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	private final String limit;

	private final long bound;

	private final transient QueueDepth depth;

	private final OverflowPolicy policy;

	/**
	 * Creates it.
	 * @param job the job
	 * @param limit the field of the configuration that limits the queue
	 * @param bound its value
	 * @param depth how full the queue is
	 * @param policy what the queue does with jobs that it has no room for
	 */
	public QueueFullException(Job job, String limit, long bound, QueueDepth depth, OverflowPolicy policy) {
		super(ErrorCode.QUEUE_FULL,
				("Queue '%s' is full: it has %d jobs of %d bytes in all, and %s is %d. Try again later, or raise the "
						+ "limit.")
					.formatted(job.queue(), depth.jobs(), depth.bytes(), limit, bound),
				job);
		this.limit = limit;
		this.bound = bound;
		this.depth = depth;
		this.policy = policy;
	}

	/**
	 * Which limit it is.
	 * @return {@code max_size} or {@code max_size_bytes}
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * The limit.
	 * @return jobs or bytes, 1 or more
	 */
	public long bound() {
		return this.bound;
	}

	/**
	 * What was in the queue.
	 * @return jobs that have not ended
	 */
	public QueueDepth depth() {
		return this.depth;
	}

	/**
	 * The policy of the queue.
	 * @return the policy that led to this
	 */
	public OverflowPolicy policy() {
		return this.policy;
	}

}
