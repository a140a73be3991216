package io.ojs.test.broker;

/**
 * A virtual host of a {@link RabbitBroker}, for one test class or application context.
 * Closing it deletes it with all its contents.
 */
public final class VirtualHost implements AutoCloseable {

	private final String name;

	private final String uri;

	private final Runnable delete;

	VirtualHost(String name, String uri, Runnable delete) {
		this.name = name;
		this.uri = uri;
		this.delete = delete;
	}

	/**
	 * Returns the name, for clients and {@code spring.rabbitmq.virtual-host}.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the AMQP URI, credentials and virtual host included.
	 * @return the URI
	 */
	public String uri() {
		return this.uri;
	}

	/**
	 * Deletes the virtual host, and its connections with it. Does nothing if it no longer
	 * exists, or if it is the default virtual host of a broker given by URI.
	 */
	@Override
	public void close() {
		this.delete.run();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
