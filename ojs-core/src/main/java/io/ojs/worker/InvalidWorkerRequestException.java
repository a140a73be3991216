package io.ojs.worker;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A worker asked for something that cannot be. Nothing was done.
 */
public class InvalidWorkerRequestException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	/**
	 * Says what is wrong.
	 * @param field the field, such as {@code worker_id}
	 * @param value what was found there; only the beginning of its text is shown
	 * @param problem what it must be, as the second half of a sentence
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
