package io.ojs.job;

import java.time.OffsetDateTime;
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
 * @param causes the causes of the exception, the nearest first, at most 5; may be empty
 */
public record JobError(String type, String code, String message, int attempt, OffsetDateTime occurredAt,
		List<String> backtrace, Map<String, @Nullable Object> details, List<ErrorCause> causes) {

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

	public JobError {
		// The store writes the type to a text column, and PostgreSQL takes no NUL in
		// text.
		type = type.replace('\0', '\ufffd');
		backtrace = List.copyOf(backtrace);
		details = JsonCopies.map(details);
		causes = List.copyOf(causes);
	}

	/**
	 * Creates an error without causes.
	 * @param type the class name of the exception, or the dotted name that the handler
	 * set
	 * @param code the code of OJS Errors §4
	 * @param message a description for people
	 * @param attempt the attempt that failed, from 1
	 * @param occurredAt when the attempt failed
	 * @param backtrace stack frames, outermost call last; may be empty
	 * @param details further JSON values that the handler set
	 */
	public JobError(String type, String code, String message, int attempt, OffsetDateTime occurredAt,
			List<String> backtrace, Map<String, @Nullable Object> details) {
		this(type, code, message, attempt, occurredAt, backtrace, details, List.of());
	}

}
