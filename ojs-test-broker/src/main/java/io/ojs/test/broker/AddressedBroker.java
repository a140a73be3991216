package io.ojs.test.broker;

/**
 * Base class of brokers: holds the address.
 */
abstract class AddressedBroker implements RabbitBroker {

	private final BrokerAddress address;

	AddressedBroker(BrokerAddress address) {
		this.address = address;
	}

	final BrokerAddress address() {
		return this.address;
	}

	@Override
	public final String host() {
		return this.address.host();
	}

	@Override
	public final int port() {
		return this.address.port();
	}

	@Override
	public final String username() {
		return this.address.username();
	}

	@Override
	public final String password() {
		return this.address.password();
	}

	@Override
	public final String uri() {
		return this.address.uri();
	}

}
