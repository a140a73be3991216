package io.ojs.boot;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if a property has an invalid value, or a bean cannot be there. The
 * application does not start.
 */
public class InvalidConfigurationException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String fix;

	/**
	 * Creates the exception for a property.
	 * @param key the key of the property
	 * @param value its value
	 * @param problem what is wrong with it
	 * @param fix how to fix it
	 */
	public InvalidConfigurationException(String key, @Nullable Object value, String problem, String fix) {
		this("%s = %s: %s".formatted(key, value, problem), fix, null);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong
	 * @param fix how to fix it
	 * @param cause the exception that revealed the problem; {@code null} if there is none
	 */
	protected InvalidConfigurationException(String message, String fix, @Nullable Throwable cause) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, message, cause);
		this.fix = fix;
	}

	/**
	 * Tells how to fix the configuration.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
