package io.ojs.deadletter;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A request about dead letters is not valid. Nothing was done.
 */
public class InvalidDeadLetterRequestException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	/**
	 * Creates the exception.
	 * @param field the parameter, such as {@code filter.error_type}
	 * @param value its value; the message has only the beginning of its text
	 * @param problem what the value must be, as the second half of a sentence
	 */
	public InvalidDeadLetterRequestException(String field, @Nullable Object value, String problem) {
		super(ErrorCode.INVALID_PAYLOAD,
				"Invalid request: '%s' %s, but was %s.".formatted(field, problem, ForeignText.show(value)));
		this.field = field;
		this.problem = problem;
	}

	@Override
	public String field() {
		return this.field;
	}

	/**
	 * What the value must be.
	 * @return the second half of a sentence that begins with the field
	 */
	public String problem() {
		return this.problem;
	}

}
