package io.ojs.test.broker;

import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A broker in a container. Testcontainers removes the container when the JVM has ended.
 */
final class ContainerBroker extends AddressedBroker {

	private final RabbitMQContainer container;

	private final ManagementApi management;

	private final String version;

	private ContainerBroker(RabbitMQContainer container) {
		super(new BrokerAddress(container.getHost(), container.getAmqpPort(), container.getAdminUsername(),
				container.getAdminPassword(), "/"));
		this.container = container;
		this.management = new ManagementApi(address(), container.getHttpPort());
		try {
			this.version = address().askVersion();
		}
		catch (IOException | TimeoutException ex) {
			throw new BrokerUnavailableException(
					"The container of " + container.getDockerImageName() + " started, but logging in failed: " + ex,
					ex);
		}
	}

	static boolean engineAnswers() {
		return DockerClientFactory.instance().isDockerAvailable();
	}

	static RabbitBroker start(String image) {
		RabbitMQContainer container = new RabbitMQContainer(
				DockerImageName.parse(image).asCompatibleSubstituteFor("rabbitmq"));
		try {
			container.start();
			return new ContainerBroker(container);
		}
		catch (RuntimeException ex) {
			container.stop();
			throw ex;
		}
	}

	@Override
	public OptionalInt managementPort() {
		return OptionalInt.of(this.management.port());
	}

	@Override
	public String version() {
		return this.version;
	}

	@Override
	public VirtualHost newVirtualHost() {
		return this.management.newVirtualHost();
	}

	@Override
	public String ctl(String... arguments) {
		String command = "rabbitmqctl " + String.join(" ", arguments);
		try {
			ExecResult result = this.container.execInContainer(
					Stream.concat(Stream.of("rabbitmqctl", "-q"), Stream.of(arguments)).toArray(String[]::new));
			if (result.getExitCode() != 0) {
				throw new IllegalStateException(
						command + " ended with " + result.getExitCode() + ": " + result.getStderr());
			}
			return result.getStdout();
		}
		catch (IOException ex) {
			throw new IllegalStateException(command + " could not be run in the container", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(command + " was interrupted", ex);
		}
	}

	@Override
	public String toString() {
		return "RabbitMQ " + this.version + " in a container on " + address();
	}

}
