package io.ojs.client;

import java.util.List;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * Some jobs of a batch were not enqueued; the others were. {@link #job()} is the first
 * that was not enqueued.
 */
public class BatchEnqueueException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final transient List<Job> enqueued;

	private final transient List<EnqueueException> failures;

	/**
	 * Creates the exception.
	 * @param enqueued the jobs that are safe
	 * @param failures one for each of the other jobs, at least one
	 */
	public BatchEnqueueException(List<Job> enqueued, List<EnqueueException> failures) {
		super(ErrorCode.valueOf(failures.get(0).code()),
				"%d of %d jobs were not enqueued. The first: %s".formatted(failures.size(),
						failures.size() + enqueued.size(), failures.get(0).getMessage()),
				failures.get(0).job(), failures.get(0));
		this.enqueued = List.copyOf(enqueued);
		this.failures = List.copyOf(failures);
	}

	/**
	 * Whether one of the failed jobs may have been enqueued in spite of its exception.
	 * @return {@code false} if certainly none was
	 */
	@Override
	public boolean isOutcomeUnknown() {
		return this.failures.stream().anyMatch(EnqueueException::isOutcomeUnknown);
	}

	/** Whether all of the failed jobs may be enqueued later. */
	@Override
	public boolean isRetryable() {
		return this.failures.stream().allMatch(EnqueueException::isRetryable);
	}

	/**
	 * The jobs that are safe.
	 * @return the jobs in the order of the batch
	 */
	public List<Job> enqueued() {
		return this.enqueued;
	}

	/**
	 * The exceptions of the other jobs.
	 * @return the exceptions in the order of the batch; each has its job
	 */
	public List<EnqueueException> failures() {
		return this.failures;
	}

}
