package io.ojs.store;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.client.EnqueueException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * The job store did not take a job, or nobody can say whether it did.
 */
public class JobNotStoredException extends EnqueueException {

	private static final long serialVersionUID = 1L;

	private final boolean outcomeUnknown;

	/**
	 * Says that a job was not kept, or that its outcome is unknown.
	 * @param job the job
	 * @param cause what the store said
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
	 * Whether the store may take it later. {@link #isOutcomeUnknown()} says whether it
	 * may have it already.
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
