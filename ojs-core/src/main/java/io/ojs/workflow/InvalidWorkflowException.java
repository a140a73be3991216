package io.ojs.workflow;

import io.ojs.ErrorCode;
import io.ojs.InvalidField;
import io.ojs.OjsException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A workflow breaks a rule (OJS Workflows §4.2, §5.2, §6.2, §10.2). Nothing was started.
 */
public class InvalidWorkflowException extends OjsException implements InvalidField {

	private static final long serialVersionUID = 1L;

	private final String field;

	private final String problem;

	/**
	 * Creates the exception.
	 * @param field the field as spelled in JSON, with its path: {@code steps[1].jobs}
	 * @param value the value of the field; the message has only the beginning of its text
	 * @param problem what the field must be, as the second half of a sentence
	 * @param cause the exception that revealed the problem
	 */
	public InvalidWorkflowException(String field, @Nullable Object value, String problem, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_PAYLOAD, "Invalid workflow: '%s' %s, but was %s.".formatted(ForeignText.escape(field),
				problem, ForeignText.show(value)), cause);
		this.field = field;
		this.problem = problem;
	}

	/**
	 * Creates the exception for a job that breaks a rule.
	 * @param path the path of the job, such as {@code steps[1].jobs[0]}
	 * @param cause the problem of the job
	 */
	public InvalidWorkflowException(String path, InvalidJobException cause) {
		super(ErrorCode.INVALID_PAYLOAD, cause.in(path).getMessage().replaceFirst("^Invalid job", "Invalid workflow"),
				cause);
		this.field = path + "." + cause.field();
		this.problem = cause.problem();
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
