package io.ojs.boot;

import io.ojs.amqp.publish.OjsTemplate;
import io.ojs.boot.actuate.JobsReporter;
import io.ojs.boot.actuate.OjsEndpoint;
import io.ojs.boot.actuate.OjsHealthIndicator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there is an endpoint, and when a health.
 */
class ActuatorConditionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class, OjsEndpointAutoConfiguration.class,
				OjsHealthAutoConfiguration.class, HealthContributorRegistryAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1");

	private final ApplicationContextRunner exposed = this.runner
		.withPropertyValues("management.endpoints.web.exposure.include=ojs");

	@Test
	void endpointIsThereOnceItIsExposed() {
		this.exposed.run((context) -> assertThat(context).hasSingleBean(OjsEndpoint.class));
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(OjsEndpoint.class)
			.doesNotHaveBean(JobsReporter.class));
		this.exposed.withPropertyValues("management.endpoint.ojs.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(OjsEndpoint.class));
	}

	@Test
	void healthIsThereUnlessItIsTurnedOff() {
		this.runner.run((context) -> assertThat(context.getBean(HealthContributorRegistry.class).getContributor("ojs"))
			.isInstanceOf(OjsHealthIndicator.class));
		this.runner.withPropertyValues("management.health.ojs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OjsHealthIndicator.class));
		this.runner.withPropertyValues("management.health.defaults.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OjsHealthIndicator.class));
	}

	@Test
	void withoutActuatorThereIsNoEndpoint() {
		this.exposed.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean("ojsEndpoint"));
	}

	@Test
	void withoutBootsHealthThereIsNone() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
					OjsAmqpAutoConfiguration.class, OjsHealthAutoConfiguration.class))
			.withPropertyValues("spring.rabbitmq.port=1")
			.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean("ojsHealthIndicator"));
	}

	@Test
	void withoutAConnectionFactoryThereIsNeither() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
					OjsEndpointAutoConfiguration.class, OjsHealthAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=ojs")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(OjsEndpoint.class)
				.doesNotHaveBean(OjsHealthIndicator.class));
	}

	@Test
	void switchTurnsBothOff() {
		this.exposed.withPropertyValues("ojs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(OjsEndpoint.class)
				.doesNotHaveBean(OjsHealthIndicator.class));
	}

	@Test
	void bothCanBeReplaced() {
		this.exposed.withBean("ojsHealthIndicator", HealthIndicator.class, () -> () -> Health.up().build())
			.withBean("mine", OjsEndpoint.class, () -> new OjsEndpoint(null, null))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("mine")
				.hasSingleBean(OjsEndpoint.class)
				.doesNotHaveBean(OjsHealthIndicator.class));
	}

	@Test
	void processThatOnlyEnqueuesHasBoth() {
		this.exposed.withPropertyValues("ojs.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(OjsEndpoint.class)
				.hasSingleBean(OjsHealthIndicator.class));
	}

}
