package io.ojs.handler;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.crypto.UndecryptableException;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import io.ojs.json.UndecodableJobException;
import io.ojs.retry.FailureResponse;
import org.jspecify.annotations.Nullable;

/**
 * What a throwable says about an attempt.
 *
 * @param error the error to record
 * @param response what is to be done about it
 * @param stackHash 16 hexadecimal digits that are alike for every failure at the same
 * place in the code, whatever its message
 */
public record JobFailure(JobError error, FailureResponse response, String stackHash) {

	/** As many frames as OJS Core §8.1 recommends to keep. */
	private static final int MAX_FRAMES = 50;

	/** The hash of failures whose throwable nobody has. */
	private static final String NO_STACK = "0".repeat(16);

	/**
	 * Reads a throwable.
	 * @param thrown what the handler, or the way to it, threw
	 * @param attempt the attempt, from 1
	 * @param clock tells when
	 * @return what it says
	 */
	public static JobFailure of(Throwable thrown, int attempt, Clock clock) {
		if (thrown instanceof JobFailedException failed) {
			return failure(failed.type(), JobError.HANDLER_ERROR, failed, failed.details(), attempt, clock,
					failed.response());
		}
		// The next attempt would meet the same arguments, the same handlers, the same
		// clock.
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

	/**
	 * A failure that was recorded earlier, when nobody kept the throwable, or there was
	 * none.
	 * @param error the error as it was recorded
	 * @param response what is to be done about it
	 * @return the failure
	 */
	public static JobFailure recorded(JobError error, FailureResponse response) {
		return new JobFailure(error, response, NO_STACK);
	}

	/**
	 * The same failure, told differently.
	 * @param changed the error to record
	 * @return the failure with it
	 */
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
			// Exceptions of others may fail to say why they failed.
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
