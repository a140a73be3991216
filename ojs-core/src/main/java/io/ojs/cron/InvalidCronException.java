package io.ojs.cron;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A cron breaks a rule, or would never fire. Nothing was registered.
 */
public class InvalidCronException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	/**
	 * Says what is wrong.
	 * @param field the field, as it is spelled in JSON: {@code expression},
	 * {@code timezone}
	 * @param value what was found there; only the beginning of its text is shown
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidCronException(String field, @Nullable Object value, String problem) {
		this(field, value, problem, null);
	}

	/**
	 * Says what is wrong and what revealed it.
	 * @param field the field, as it is spelled in JSON
	 * @param value what was found there; only the beginning of its text is shown
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed it
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
	 * What is wrong with it.
	 * @return what the field must be, as the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
