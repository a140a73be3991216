package io.ojs.webhook;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A subscription breaks a rule. Nothing was changed.
 */
public class InvalidWebhookException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	/**
	 * Creates the exception.
	 * @param field the field as spelled in JSON: {@code url}, {@code events}
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidWebhookException(String field, @Nullable Object value, String problem) {
		super(ErrorCode.INVALID_PAYLOAD,
				"Invalid webhook: '%s' %s, but was %s.".formatted(field, problem, ForeignText.show(value)));
		this.field = field;
	}

	@Override
	public String field() {
		return this.field;
	}

}
