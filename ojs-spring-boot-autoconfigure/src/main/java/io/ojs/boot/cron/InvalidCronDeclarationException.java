package io.ojs.boot.cron;

import io.ojs.boot.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if an application declares an invalid cron. The application does not
 * start.
 */
public class InvalidCronDeclarationException extends InvalidConfigurationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param origin where the cron is declared
	 * @param problem what is wrong with it
	 * @param fix how to fix it
	 * @param cause the exception that revealed the problem; {@code null} if there is none
	 */
	public InvalidCronDeclarationException(String origin, @Nullable String problem, String fix,
			@Nullable Throwable cause) {
		super("The cron of %s cannot be used: %s".formatted(origin, problem), fix, cause);
	}

}
