package io.ojs.test.broker;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The {@code ojs.test.rabbitmq.*} settings: system properties, or environment variables
 * in upper case with underscores. A blank value counts as not set.
 */
final class BrokerSettings {

	static final String URI = "ojs.test.rabbitmq.uri";

	static final String MANAGEMENT_PORT = "ojs.test.rabbitmq.management-port";

	static final String IMAGE = "ojs.test.rabbitmq.image";

	static final String SUITE = "ojs.test.rabbitmq.suite";

	static final String CACHE = "ojs.test.rabbitmq.cache";

	static final String DEFAULT_IMAGE = "rabbitmq:4-management";

	private final Function<String, @Nullable String> properties;

	private final Function<String, @Nullable String> environment;

	BrokerSettings(Function<String, @Nullable String> properties, Function<String, @Nullable String> environment) {
		this.properties = properties;
		this.environment = environment;
	}

	static BrokerSettings system() {
		return new BrokerSettings(System::getProperty, System::getenv);
	}

	Optional<String> uri() {
		return get(URI);
	}

	OptionalInt managementPort() {
		Optional<String> port = get(MANAGEMENT_PORT);
		try {
			return port.map(Integer::parseInt).map(OptionalInt::of).orElseGet(OptionalInt::empty);
		}
		catch (NumberFormatException ex) {
			throw new ConfiguredBrokerException(MANAGEMENT_PORT + "='" + port.orElse("") + "' is not a port number",
					ex);
		}
	}

	String image() {
		return get(IMAGE).orElse(DEFAULT_IMAGE);
	}

	Optional<String> suite() {
		return get(SUITE);
	}

	/**
	 * The folder with one unpacked RabbitMQ per suite.
	 */
	Path cache() {
		return get(CACHE).map(Path::of)
			.orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "ojs", "rabbitmq"))
			.toAbsolutePath()
			.normalize();
	}

	private Optional<String> get(String key) {
		return value(this.properties.apply(key))
			.or(() -> value(this.environment.apply(key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'))));
	}

	private static Optional<String> value(@Nullable String value) {
		return Optional.ofNullable(value).map(String::strip).filter((text) -> !text.isEmpty());
	}

}
