package io.ojs.handler.internal;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.crypto.UndecryptableException;
import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.JobNotAdmittedException;
import io.ojs.handler.JobTimeoutException;
import io.ojs.handler.UnknownJobTypeException;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.FailureResponse;
import org.jspecify.annotations.Nullable;

/**
 * The failure of an attempt, as its throwable describes it.
 *
 * @param error the error to record
 * @param response what happens to the job
 * @param stackHash 16 hexadecimal digits that are the same for all failures at the same
 * place in the code, whatever their messages
 */
public record JobFailure(JobError error, FailureResponse response, String stackHash) {

	/** The number of frames that OJS Core §8.1 recommends to keep. */
	private static final int MAX_FRAMES = 50;

	/** The hash of failures without a throwable. */
	private static final String NO_STACK = "0".repeat(16);

	/**
	 * Describes a throwable.
	 * @param thrown the throwable from the handler, or from the worker before it called
	 * the handler
	 * @param attempt the number of the attempt, from 1
	 * @param clock the source of the time of the error
	 */
	public static JobFailure of(Throwable thrown, int attempt, Clock clock) {
		return of(thrown, attempt, clock, false);
	}

	/**
	 * Describes a throwable.
	 * @param thrown the throwable from the handler, or from the worker before it called
	 * the handler
	 * @param attempt the number of the attempt, from 1
	 * @param clock the source of the time of the error
	 * @param secret whether the arguments of the job are encrypted: the error has no
	 * messages of causes then, because the handler does not choose what they contain
	 */
	public static JobFailure of(Throwable thrown, int attempt, Clock clock, boolean secret) {
		JobFailure failure = described(thrown, attempt, clock);
		JobError error = failure.error;
		return failure.with(new JobError(error.type(), error.code(), error.message(), error.attempt(),
				error.occurredAt(), error.backtrace(), error.details(), CauseChain.of(thrown, secret)));
	}

	private static JobFailure described(Throwable thrown, int attempt, Clock clock) {
		if (thrown instanceof JobFailedException failed) {
			return failure(failed.type(), JobError.HANDLER_ERROR, failed, failed.details(), attempt, clock,
					failed.response());
		}
		// These are not retried: the next attempt would have the same arguments, handlers
		// and expiry.
		if (thrown instanceof ArgumentMismatchException) {
			return hopeless(JobError.INVALID_ARGS, thrown, attempt, clock);
		}
		if (thrown instanceof UndecryptableException) {
			return hopeless(JobError.INVALID_ARGS, thrown, attempt, clock);
		}
		if (thrown instanceof UnknownJobTypeException) {
			return hopeless(JobError.INVALID_JOB_TYPE, thrown, attempt, clock);
		}
		if (thrown instanceof UndecodableJobException) {
			return hopeless(JobError.INVALID_PAYLOAD, thrown, attempt, clock);
		}
		if (thrown instanceof JobNotAdmittedException refused) {
			return hopeless(refused.code(), thrown, attempt, clock);
		}
		if (thrown instanceof JobExpiredException) {
			return hopeless(JobError.JOB_EXPIRED, thrown, attempt, clock);
		}
		if (thrown instanceof JobTimeoutException) {
			return failure("timeout", JobError.HANDLER_TIMEOUT, thrown, Map.of(), attempt, clock,
					FailureResponse.RETRY);
		}
		String code = (thrown instanceof Error) ? JobError.HANDLER_PANIC : JobError.HANDLER_ERROR;
		return failure(thrown.getClass().getName(), code, thrown, Map.of(), attempt, clock, FailureResponse.RETRY);
	}

	/** Creates a failure from a recorded error, without a throwable. */
	public static JobFailure recorded(JobError error, FailureResponse response) {
		return new JobFailure(error, response, NO_STACK);
	}

	/**
	 * The hash for the job store.
	 * @return {@link #stackHash}; {@code null} for a failure without a throwable
	 */
	public @Nullable String knownHash() {
		return this.stackHash.equals(NO_STACK) ? null : this.stackHash;
	}

	/** Copies this failure with another error. */
	public JobFailure with(JobError changed) {
		return new JobFailure(changed, this.response, this.stackHash);
	}

	private static JobFailure hopeless(String code, Throwable thrown, int attempt, Clock clock) {
		return failure(thrown.getClass().getName(), code, thrown, Map.of(), attempt, clock,
				FailureResponse.DEAD_LETTER);
	}

	private static JobFailure failure(String type, String code, Throwable thrown, Map<String, @Nullable Object> details,
			int attempt, Clock clock, FailureResponse response) {
		String message = message(thrown);
		return new JobFailure(
				new JobError(type, code, message, attempt, Rfc3339.utc(clock.instant()), backtrace(thrown), details),
				response, StackHash.of(thrown));
	}

	private static String message(Throwable thrown) {
		try {
			String message = thrown.getMessage();
			return (message != null) ? message : thrown.getClass().getSimpleName();
		}
		catch (RuntimeException ex) {
			// The getMessage() of a foreign exception can throw.
			return thrown.getClass().getSimpleName();
		}
	}

	private static List<String> backtrace(Throwable thrown) {
		List<String> frames = new ArrayList<>();
		for (StackTraceElement frame : thrown.getStackTrace()) {
			if (frames.size() == MAX_FRAMES) {
				break;
			}
			frames.add(frame.toString());
		}
		return frames;
	}

}
