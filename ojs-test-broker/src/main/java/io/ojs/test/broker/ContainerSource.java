package io.ojs.test.broker;

import org.springframework.util.ClassUtils;

/**
 * A container, if Testcontainers is on the class path and a Docker engine answers.
 */
final class ContainerSource implements Source<RabbitBroker> {

	private static final String TESTCONTAINERS = "org.testcontainers.rabbitmq.RabbitMQContainer";

	private final String image;

	ContainerSource(String image) {
		this.image = image;
	}

	@Override
	public String name() {
		return "Testcontainers";
	}

	@Override
	public Lookup<RabbitBroker> look() {
		if (!ClassUtils.isPresent(TESTCONTAINERS, ContainerSource.class.getClassLoader())) {
			return new Lookup.Absent<>("org.testcontainers:testcontainers-rabbitmq is not on the class path");
		}
		// Only ContainerBroker refers to Testcontainers, so that this class loads without
		// it.
		if (!ContainerBroker.engineAnswers()) {
			return new Lookup.Absent<>("no Docker engine answers");
		}
		return new Lookup.Found<>(ContainerBroker.start(this.image));
	}

}
