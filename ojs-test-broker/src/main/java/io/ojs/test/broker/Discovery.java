package io.ojs.test.broker;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches several sources in order for a broker or an installation.
 *
 * @param <T> the type of the result
 */
final class Discovery<T> {

	private static final Logger logger = LoggerFactory.getLogger(Discovery.class);

	private final List<Source<T>> sources;

	Discovery(List<Source<T>> sources) {
		this.sources = List.copyOf(sources);
	}

	/**
	 * The search for a broker. A suite stands for a RabbitMQ line, so if a suite is set,
	 * only sources of exactly that line are searched.
	 */
	static Discovery<RabbitBroker> brokers(BrokerSettings settings) {
		List<Source<RabbitBroker>> sources = new ArrayList<>();
		sources.add(new UriSource(settings));
		if (settings.suite().isEmpty()) {
			sources.add(new ContainerSource(settings.image()));
		}
		for (Source<RabbitInstallation> source : installationSources(settings)) {
			sources.add(source.map(PrivateRabbitNode::start));
		}
		return new Discovery<>(sources);
	}

	/**
	 * The search for an installation, for tests that need a node of their own.
	 */
	static Discovery<RabbitInstallation> installations(BrokerSettings settings) {
		return new Discovery<>(installationSources(settings));
	}

	T first() {
		StringBuilder reasons = new StringBuilder();
		List<RuntimeException> failures = new ArrayList<>();
		for (Source<T> source : this.sources) {
			try {
				Lookup<T> lookup = source.look();
				if (lookup instanceof Lookup.Found<T> found) {
					logger.info("RabbitMQ for tests: {}: {}", source.name(), found.value());
					return found.value();
				}
				note(reasons, source, ((Lookup.Absent<T>) lookup).reason());
			}
			catch (ConfiguredBrokerException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				logger.warn("RabbitMQ for tests: {} failed, looking further", source.name(), ex);
				note(reasons, source, "failed: " + String.valueOf(ex.getMessage()).lines().findFirst().orElse(""));
				failures.add(ex);
			}
		}
		BrokerUnavailableException exception = new BrokerUnavailableException(message(reasons));
		failures.forEach(exception::addSuppressed);
		throw exception;
	}

	List<String> names() {
		return this.sources.stream().map(Source::name).toList();
	}

	private static List<Source<RabbitInstallation>> installationSources(BrokerSettings settings) {
		Source<RabbitInstallation> unpacked = UnpackedRabbit.onThisHost(settings);
		return settings.suite().isPresent() ? List.of(unpacked) : List.of(InstalledRabbit.onThisHost(), unpacked);
	}

	private static void note(StringBuilder reasons, Source<?> source, String reason) {
		reasons.append("\n  - ").append(source.name()).append(": ").append(reason);
	}

	private static String message(StringBuilder reasons) {
		return "There is no RabbitMQ to test with. Looked for, in this order:" + reasons + "\nDo one of these:"
				+ "\n  - point " + BrokerSettings.URI + " at a running broker (amqp://user:password@host:5672)"
				+ "\n  - start Docker, and have org.testcontainers:testcontainers-rabbitmq on the test class path"
				+ "\n  - install rabbitmq-server"
				+ "\n  - run on Debian or Ubuntu with a configured apt mirror: nothing needs to be installed there";
	}

}
