package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * The queue is full (OJS Queue Configuration §6.1): {@code QUEUE_FULL}.
 */
public final class QueueFullException extends QueueRefusedException {

	private static final long serialVersionUID = 1L;

	private final String limit;

	private final long bound;

	private final transient QueueDepth depth;

	private final OverflowPolicy policy;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param limit the field of the configuration that limits the queue
	 * @param bound the value of that field
	 * @param depth the jobs in the queue
	 * @param policy the overflow policy of the queue
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
	 * Returns the field that limits the queue.
	 * @return {@code max_size} or {@code max_size_bytes}
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * Returns the limit.
	 * @return the number of jobs or bytes, 1 or more
	 */
	public long bound() {
		return this.bound;
	}

	/**
	 * Returns the jobs in the queue.
	 * @return the jobs that have not ended
	 */
	public QueueDepth depth() {
		return this.depth;
	}

	/**
	 * Returns the overflow policy of the queue.
	 * @return the policy that led to this
	 */
	public OverflowPolicy policy() {
		return this.policy;
	}

}
