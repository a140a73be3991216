package io.ojs.retry;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A retry policy breaks a rule of OJS Retry §11.
 */
public class InvalidRetryPolicyException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	private final transient @Nullable Object value;

	/**
	 * Creates the exception.
	 * @param field the field as it is spelled in JSON, such as {@code max_attempts}
	 * @param value the value of the field
	 * @param problem what the field must be, as the second half of a sentence
	 */
	public InvalidRetryPolicyException(String field, @Nullable Object value, String problem) {
		super(ErrorCode.INVALID_RETRY_POLICY,
				"Invalid retry policy: '%s' %s, but was %s.".formatted(field, problem, value));
		this.field = field;
		this.problem = problem;
		this.value = value;
	}

	/**
	 * The field that breaks the rule.
	 * @return its name in JSON
	 */
	public String field() {
		return this.field;
	}

	/**
	 * The value of the field.
	 * @return the value
	 */
	public @Nullable Object value() {
		return this.value;
	}

	/**
	 * The rule that the field breaks.
	 * @return what the field must be, as the second half of a sentence
	 */
	public String problem() {
		return this.problem;
	}

}
