package io.ojs.queue;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a queue breaks a rule of OJS Queue Configuration §6. Nothing was
 * changed.
 */
public class InvalidQueueConfigException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private static final int SHOWN = 120;

	private final String field;

	private final String problem;

	private final transient @Nullable Object value;

	/**
	 * Creates the exception.
	 * @param field the field as spelled in JSON, such as {@code max_size}
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidQueueConfigException(String field, @Nullable Object value, String problem) {
		this(field, value, problem, null);
	}

	/**
	 * Creates the exception, with a cause.
	 * @param field the field as spelled in JSON
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed the problem
	 */
	public InvalidQueueConfigException(String field, @Nullable Object value, String problem,
			@Nullable Throwable cause) {
		super(ErrorCode.INVALID_PAYLOAD,
				"Invalid queue configuration: '%s' %s, but was %s.".formatted(field, problem, show(value)), cause);
		this.field = field;
		this.value = value;
		this.problem = problem;
	}

	private static String show(@Nullable Object value) {
		if (value == null) {
			return "missing";
		}
		String text = String.valueOf(value);
		String shown = (text.length() <= SHOWN) ? text : text.substring(0, SHOWN) + "…";
		return (value instanceof CharSequence) ? '"' + shown + '"' : shown;
	}

	@Override
	public String field() {
		return this.field;
	}

	/**
	 * Returns the value of the field.
	 * @return the value
	 */
	public @Nullable Object value() {
		return this.value;
	}

	/**
	 * Returns what the field must be.
	 * @return the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
