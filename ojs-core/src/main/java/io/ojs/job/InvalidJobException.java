package io.ojs.job;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A job, or a request for one, breaks a rule of the envelope (OJS Core §5). Nothing was
 * enqueued.
 */
public class InvalidJobException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	/**
	 * Says what is wrong.
	 * @param field the field, as it is spelled in JSON: {@code queue}, {@code args[1]},
	 * {@code retry.max_attempts}
	 * @param value what was found there; only the beginning of its text is shown
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidJobException(String field, @Nullable Object value, String problem) {
		this(field, value, problem, null);
	}

	/**
	 * Says what is wrong and what revealed it.
	 * @param field the field, as it is spelled in JSON
	 * @param value what was found there; only the beginning of its text is shown
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed it
	 */
	public InvalidJobException(String field, @Nullable Object value, String problem, @Nullable Throwable cause) {
		super(code(field), "Invalid job: '%s' %s, but was %s.".formatted(ForeignText.escape(field), problem,
				ForeignText.show(value)), cause);
		this.field = field;
		this.problem = problem;
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

	/**
	 * The field that is wrong.
	 * @return its name in JSON, with a path for nested ones
	 */
	public String field() {
		return this.field;
	}

	/**
	 * What is wrong with it.
	 * @return what the field must be, as the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
