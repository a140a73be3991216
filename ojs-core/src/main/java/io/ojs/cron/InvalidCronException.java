package io.ojs.cron;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A cron breaks a rule, or would never fire. Nothing was registered.
 */
public class InvalidCronException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	/**
	 * Creates the exception.
	 * @param field the field as spelled in JSON: {@code expression}, {@code timezone}
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidCronException(String field, @Nullable Object value, String problem) {
		this(field, value, problem, null);
	}

	/**
	 * Creates the exception, with a cause.
	 * @param field the field as spelled in JSON
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed the problem
	 */
	public InvalidCronException(String field, @Nullable Object value, String problem, @Nullable Throwable cause) {
		super(field.equals("expression") ? ErrorCode.INVALID_CRON_EXPRESSION : ErrorCode.INVALID_PAYLOAD,
				"Invalid cron: '%s' %s, but was %s.".formatted(field, problem, ForeignText.show(value)), cause);
		this.field = field;
		this.problem = problem;
	}

	@Override
	public String field() {
		return this.field;
	}

	/**
	 * Returns what the field must be.
	 * @return the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
