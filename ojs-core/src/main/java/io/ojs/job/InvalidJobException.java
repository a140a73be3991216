package io.ojs.job;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A job, or a request for one, breaks a rule of the envelope (OJS Core §5). If
 * {@code enqueue} throws it, no job was enqueued.
 */
public class InvalidJobException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	/** Longer than a path of names of reasonable length. */
	private static final int SHOWN_FIELD = 500;

	private final String field;

	private final String problem;

	private final String shown;

	/**
	 * Creates the exception.
	 * @param field the field, as it is spelled in JSON: {@code queue}, {@code args[1]},
	 * {@code retry.max_attempts}
	 * @param value the value of the field; the message shows only the beginning of its
	 * text
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidJobException(String field, @Nullable Object value, String problem) {
		this(field, value, problem, null);
	}

	/**
	 * Creates the exception with a cause.
	 * @param field the field, as it is spelled in JSON
	 * @param value the value of the field; the message shows only the beginning of its
	 * text
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed the problem; the constructor escapes it if
	 * necessary
	 */
	public InvalidJobException(String field, @Nullable Object value, String problem, @Nullable Throwable cause) {
		this(code(field), field, problem, ForeignText.show(value), cause);
	}

	private InvalidJobException(ErrorCode code, String field, String problem, String shown, @Nullable Throwable cause) {
		super(code,
				"Invalid job: '%s' %s, but was %s.".formatted(ForeignText.escape(field, SHOWN_FIELD), problem, shown),
				(cause != null) ? ForeignText.escape(cause) : null);
		this.field = field;
		this.problem = problem;
		this.shown = shown;
	}

	/**
	 * Copies the exception with the path of the enclosing object.
	 * @param parent the object that has the field, such as {@code options} or
	 * {@code jobs[2]}
	 * @return an exception whose field begins with the parent
	 */
	public InvalidJobException in(String parent) {
		return new InvalidJobException(ErrorCode.valueOf(code()), parent + "." + this.field, this.problem, this.shown,
				this);
	}

	private static ErrorCode code(String field) {
		return switch (field.split("[.\\[]", 2)[0]) {
			case "type" -> ErrorCode.INVALID_JOB_TYPE;
			case "queue" -> ErrorCode.INVALID_QUEUE;
			case "args" -> ErrorCode.INVALID_ARGS;
			case "meta" -> ErrorCode.INVALID_METADATA;
			case "retry" -> ErrorCode.INVALID_RETRY_POLICY;
			default -> ErrorCode.INVALID_PAYLOAD;
		};
	}

	@Override
	public String field() {
		return this.field;
	}

	/**
	 * The rule that the field breaks.
	 * @return what the field must be, as the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
