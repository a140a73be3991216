package io.ojs.test.broker;

import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker that already runs and that the tests did not start.
 */
final class UriBroker extends AddressedBroker {

	private static final Logger logger = LoggerFactory.getLogger(UriBroker.class);

	private final String version;

	private final @Nullable ManagementApi management;

	UriBroker(BrokerAddress address, String version, @Nullable ManagementApi management) {
		super(address);
		this.version = version;
		this.management = management;
	}

	@Override
	public OptionalInt managementPort() {
		return (this.management != null) ? OptionalInt.of(this.management.port()) : OptionalInt.empty();
	}

	@Override
	public String version() {
		return this.version;
	}

	@Override
	public VirtualHost newVirtualHost() {
		if (this.management != null) {
			return this.management.newVirtualHost();
		}
		logger.warn(
				"{} has no reachable management API, so tests share its virtual host '{}' and see each other's "
						+ "queues; set {} if the API is on another port",
				address(), address().virtualHost(), BrokerSettings.MANAGEMENT_PORT);
		return new VirtualHost(address().virtualHost(), address().uri(), () -> {
			// The virtual host existed before the tests.
		});
	}

	@Override
	public String ctl(String... arguments) {
		throw new UnsupportedOperationException("rabbitmqctl " + String.join(" ", arguments) + ": " + address()
				+ " was not started here. Use PrivateRabbitNode.create() for a test that needs rabbitmqctl");
	}

	@Override
	public String toString() {
		return "RabbitMQ " + this.version + " on " + address();
	}

}
