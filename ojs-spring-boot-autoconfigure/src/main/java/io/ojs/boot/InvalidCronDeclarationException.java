package io.ojs.boot;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if an application declares an invalid cron. The application does not
 * start.
 */
public class InvalidCronDeclarationException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String fix;

	public InvalidCronDeclarationException(String origin, @Nullable String problem, String fix,
			@Nullable Throwable cause) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, "The cron of %s cannot be used: %s".formatted(origin, problem),
				cause);
		this.fix = fix;
	}

	/**
	 * Tells how to fix the declaration.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
