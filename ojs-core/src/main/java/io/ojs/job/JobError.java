package io.ojs.job;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The error of a failed attempt of a job (OJS Core §8, OJS Errors §6).
 *
 * @param type the class name of the exception, or the dotted name that the handler set
 * @param code the code of OJS Errors §4, such as {@code HANDLER_ERROR}
 * @param message a description for people
 * @param attempt the attempt that failed, from 1
 * @param occurredAt when the attempt failed
 * @param backtrace stack frames, outermost call last; may be empty
 * @param details further JSON values that the handler set
 */
public record JobError(String type, String code, String message, int attempt, OffsetDateTime occurredAt,
		List<String> backtrace, Map<String, @Nullable Object> details) {

	/** The handler threw an exception. */
	public static final String HANDLER_ERROR = "HANDLER_ERROR";

	/** The handler threw an {@link Error}. */
	public static final String HANDLER_PANIC = "HANDLER_PANIC";

	/** The attempt took longer than its timeout. */
	public static final String HANDLER_TIMEOUT = "HANDLER_TIMEOUT";

	/** The retry policy does not retry this error. */
	public static final String NON_RETRYABLE_ERROR = "NON_RETRYABLE_ERROR";

	/**
	 * The message is not a job: it is not JSON or not UTF-8, or it breaks a rule of the
	 * envelope.
	 */
	public static final String INVALID_PAYLOAD = "INVALID_PAYLOAD";

	/** There is no handler for the type of the job. */
	public static final String INVALID_JOB_TYPE = "INVALID_JOB_TYPE";

	/** The arguments do not fit the handler's parameters. */
	public static final String INVALID_ARGS = "INVALID_ARGS";

	/** The job was not started before its {@code expires_at}. */
	public static final String JOB_EXPIRED = "JOB_EXPIRED";

	/** How many of the latest errors keep their backtrace, details and whole message. */
	public static final int WHOLE_ERRORS = 25;

	/** How many of the latest errors are kept. */
	public static final int MOST_ERRORS = 1000;

	private static final int BRIEF_MESSAGE = 200;

	public JobError {
		// The store writes the type to a text column, and PostgreSQL takes no NUL in
		// text.
		type = type.replace('\0', '\ufffd');
		backtrace = List.copyOf(backtrace);
		details = JsonCopies.map(details);
	}

	/**
	 * Adds an error to the retry history of a job (OJS Extension Interactions §10.2).
	 * Errors before the last {@link #WHOLE_ERRORS} keep no backtrace, no details and only
	 * the first 200 characters of their message, so that a row stays small. The oldest
	 * errors are dropped when there are more than {@link #MOST_ERRORS}.
	 * @param before the errors of earlier attempts, the oldest first
	 * @param latest the error of the latest attempt
	 * @return all errors, the oldest first
	 */
	public static List<JobError> history(List<JobError> before, JobError latest) {
		List<JobError> errors = new ArrayList<>(before);
		errors.add(latest);
		int brief = errors.size() - WHOLE_ERRORS - 1;
		if (brief >= 0) {
			errors.set(brief, errors.get(brief).brief());
		}
		return List.copyOf(errors.subList(Math.max(0, errors.size() - MOST_ERRORS), errors.size()));
	}

	private JobError brief() {
		String text = this.message;
		if (text.length() > BRIEF_MESSAGE) {
			boolean pair = Character.isHighSurrogate(text.charAt(BRIEF_MESSAGE - 1));
			text = text.substring(0, pair ? BRIEF_MESSAGE - 1 : BRIEF_MESSAGE);
		}
		return new JobError(this.type, this.code, text, this.attempt, this.occurredAt, List.of(), Map.of());
	}

}
