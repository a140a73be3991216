package io.ojs.boot;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown at start if a property has an invalid value. The application does not start.
 */
public class InvalidConfigurationException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String fix;

	public InvalidConfigurationException(String key, @Nullable Object value, String problem, String fix) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, "%s = %s: %s".formatted(key, value, problem));
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
