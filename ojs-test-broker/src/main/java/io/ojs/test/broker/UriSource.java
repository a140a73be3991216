package io.ojs.test.broker;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The broker that {@code ojs.test.rabbitmq.uri} names.
 */
final class UriSource implements Source<RabbitBroker> {

	/**
	 * The distance between RabbitMQ's own ports, 5672 and 15672.
	 */
	private static final int MANAGEMENT_OFFSET = 10_000;

	private final BrokerSettings settings;

	UriSource(BrokerSettings settings) {
		this.settings = settings;
	}

	@Override
	public String name() {
		return BrokerSettings.URI;
	}

	@Override
	public Lookup<RabbitBroker> look() {
		Optional<String> uri = this.settings.uri();
		if (uri.isEmpty()) {
			return new Lookup.Absent<>("not set");
		}
		BrokerAddress address = BrokerAddress.parse(uri.get());
		int managementPort = this.settings.managementPort().orElse(address.port() + MANAGEMENT_OFFSET);
		ManagementApi management = new ManagementApi(address, managementPort);
		try {
			return new Lookup.Found<>(
					new UriBroker(address, address.askVersion(), management.answers() ? management : null));
		}
		catch (IOException | TimeoutException ex) {
			throw new ConfiguredBrokerException(BrokerSettings.URI + " names " + address + ", virtual host '"
					+ address.virtualHost() + "', but logging in as '" + address.username() + "' failed: " + ex
					+ ". Start that broker, correct the URI, or remove the setting to have a broker found", ex);
		}
	}

}
