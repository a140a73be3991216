package io.ojs.test.broker;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the broker that the user has configured does not work. It ends the search,
 * because a test with another broker would not test what the user asked for.
 */
final class ConfiguredBrokerException extends BrokerUnavailableException {

	private static final long serialVersionUID = 1L;

	ConfiguredBrokerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
