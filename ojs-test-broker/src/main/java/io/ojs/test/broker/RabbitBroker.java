package io.ojs.test.broker;

import java.util.OptionalInt;

/**
 * A running RabbitMQ for tests.
 * <p>
 * Use {@link #shared()}: each test class takes a {@link #newVirtualHost() virtual host}
 * of its own from it. A test that stops or crashes its broker creates a
 * {@link PrivateRabbitNode} instead.
 */
public interface RabbitBroker {

	/**
	 * Returns this JVM's broker. The first call finds or starts it: the one that
	 * {@code ojs.test.rabbitmq.uri} names, a container if a Docker engine answers, an
	 * installed {@code rabbitmq-server}, or a RabbitMQ unpacked from the packages of
	 * Debian or Ubuntu. A broker that was started ends with the JVM, after the JVM's
	 * shutdown hooks.
	 * @return the broker, always the same
	 * @throws BrokerUnavailableException if there is none; later calls fail at once, with
	 * the same message
	 */
	static RabbitBroker shared() {
		return SharedBroker.get();
	}

	/**
	 * Returns the host name or address.
	 * @return the host
	 */
	String host();

	/**
	 * Returns the AMQP port.
	 * @return the port
	 */
	int port();

	/**
	 * Returns the user, who has all rights on a broker that was started here.
	 * @return the user's name
	 */
	String username();

	/**
	 * Returns the user's password.
	 * @return the password
	 */
	String password();

	/**
	 * Returns the AMQP URI of the broker's default virtual host, credentials included.
	 * @return the URI
	 */
	String uri();

	/**
	 * Returns the port of the HTTP management API, on the same host and with the same
	 * credentials.
	 * @return the port, or empty if the API does not answer
	 */
	OptionalInt managementPort();

	/**
	 * Returns the version that the broker reports, such as {@code 4.0.5}.
	 * @return the version
	 */
	String version();

	/**
	 * Tells whether the line of the broker is the given one or a later one.
	 * @param major the major version, such as 4
	 * @param minor the minor version, such as 0
	 * @return whether this broker is of that line or later
	 */
	default boolean isAtLeast(int major, int minor) {
		return BrokerVersion.parse(version()).isAtLeast(major, minor);
	}

	/**
	 * Creates a virtual host in which the user has all rights.
	 * <p>
	 * A broker given by URI without a reachable management API cannot create one. The
	 * method then returns its default virtual host and logs a warning, and test classes
	 * see each other's queues.
	 * @return the virtual host, to be closed when it is no longer needed
	 */
	VirtualHost newVirtualHost();

	/**
	 * Runs {@code rabbitmqctl} against the broker. Each call starts an Erlang VM, which
	 * takes from half a second to two seconds.
	 * @param arguments the command and its arguments
	 * @return the standard output
	 * @throws UnsupportedOperationException if the broker was not started here
	 * @throws IllegalStateException if the command fails
	 */
	String ctl(String... arguments);

}
