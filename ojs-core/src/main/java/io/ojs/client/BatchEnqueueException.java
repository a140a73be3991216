package io.ojs.client;

import java.util.List;

import io.ojs.ErrorCode;
import io.ojs.job.Job;

/**
 * Some jobs of a batch could not be enqueued. The others were. {@link #job()} is the
 * first that was not.
 */
public class BatchEnqueueException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final transient List<Job> enqueued;

	private final transient List<EnqueueException> failures;

	/**
	 * Says how the batch ended.
	 * @param enqueued the jobs that are safe
	 * @param failures one for each of the others
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
	 * Whether one of the others may have been enqueued all the same.
	 * @return {@code false} if certainly none was
	 */
	@Override
	public boolean isOutcomeUnknown() {
		return this.failures.stream().anyMatch(EnqueueException::isOutcomeUnknown);
	}

	/** Whether all of the others may be enqueued later. */
	@Override
	public boolean isRetryable() {
		return this.failures.stream().allMatch(EnqueueException::isRetryable);
	}

	/**
	 * The jobs that are safe.
	 * @return in the order of the batch
	 */
	public List<Job> enqueued() {
		return this.enqueued;
	}

	/**
	 * What became of the others.
	 * @return in the order of the batch; each knows its job
	 */
	public List<EnqueueException> failures() {
		return this.failures;
	}

}
