package io.ojs.internal.worker;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A request of a worker is not valid. Nothing was done.
 */
public class InvalidWorkerRequestException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	/**
	 * Creates the exception.
	 * @param field the name of the field, such as {@code worker_id}
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the value must be, as the second half of a sentence
	 */
	public InvalidWorkerRequestException(String field, @Nullable Object value, String problem) {
		super(ErrorCode.INVALID_PAYLOAD,
				"Invalid request: '%s' %s, but was %s.".formatted(field, problem, ForeignText.show(value)));
		this.field = field;
	}

	@Override
	public String field() {
		return this.field;
	}

}
