package io.ojs.test.broker;

import org.jspecify.annotations.Nullable;

/**
 * What the user asked for by name does not work. Looking further would test something
 * else than what was asked for, so this ends the search.
 */
final class ConfiguredBrokerException extends BrokerUnavailableException {

	private static final long serialVersionUID = 1L;

	ConfiguredBrokerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
