package io.ojs.store;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * The job store did not keep a job, or it is unknown whether it did
 * ({@link #isOutcomeUnknown()}).
 */
public class JobNotStoredException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final boolean outcomeUnknown;

	/**
	 * Creates the exception.
	 * @param job the job
	 * @param cause the store's error
	 */
	public JobNotStoredException(Job job, @Nullable Throwable cause) {
		super(code(cause),
				"Job %s for queue '%s' is not known to be in the job store%s %s".formatted(job.id(), job.queue(),
						(cause != null && cause.getMessage() != null) ? ": " + sentence(cause.getMessage()) : ".",
						isOutcomeUnknown(cause) ? "The commit failed, and may have been done all the same."
								: "It was not enqueued, nor was any other of the same call."),
				job, cause);
		this.outcomeUnknown = isOutcomeUnknown(cause);
	}

	private static boolean isOutcomeUnknown(@Nullable Throwable cause) {
		return cause instanceof StoreUnavailableException away && away.isOutcomeUnknown();
	}

	private static ErrorCode code(@Nullable Throwable cause) {
		return (cause instanceof OjsException refusal) ? ErrorCode.valueOf(refusal.code()) : ErrorCode.BACKEND_ERROR;
	}

	/**
	 * Whether a later try may succeed. {@link #isOutcomeUnknown()} says whether the store
	 * may have the job already.
	 */
	@Override
	public boolean isRetryable() {
		return (getCause() instanceof OjsException refusal) ? refusal.isRetryable() : super.isRetryable();
	}

	private static String sentence(String message) {
		return message.endsWith(".") ? message : message + ".";
	}

	@Override
	public boolean isOutcomeUnknown() {
		return this.outcomeUnknown;
	}

}
