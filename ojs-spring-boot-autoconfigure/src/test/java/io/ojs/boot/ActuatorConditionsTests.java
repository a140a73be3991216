package io.ojs.boot;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.boot.actuate.OjsEndpointAutoConfiguration;
import io.ojs.boot.actuate.OjsHealthAutoConfiguration;
import io.ojs.boot.internal.actuate.JobsReporter;
import io.ojs.boot.internal.actuate.OjsEndpoint;
import io.ojs.boot.internal.actuate.OjsHealthIndicator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.Operation;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.ParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

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
	void endpointIsReadUnlessWritesAreAllowed() {
		ApplicationContextRunner endpoints = this.exposed
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class));
		endpoints.run((context) -> assertThat(operations(context)).containsOnly(OperationType.READ));
		endpoints.withPropertyValues("management.endpoint.ojs.access=UNRESTRICTED")
			.run((context) -> assertThat(operations(context)).contains(OperationType.READ, OperationType.WRITE));
	}

	private static Set<OperationType> operations(ApplicationContext context) {
		WebEndpointDiscoverer discoverer = new WebEndpointDiscoverer(context,
				context.getBean(ParameterValueMapper.class), EndpointMediaTypes.DEFAULT, List.of(), List.of(),
				List.of(), List.of(), List.of(OperationFilter.byAccess(context.getBean(EndpointAccessResolver.class))));
		return discoverer.getEndpoints()
			.stream()
			.filter((endpoint) -> endpoint.getEndpointId().toString().equals("ojs"))
			.flatMap((endpoint) -> endpoint.getOperations().stream())
			.map(Operation::getType)
			.collect(Collectors.toSet());
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
	void healthCanBeReplaced() {
		this.exposed.withBean("ojsHealthIndicator", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(HealthIndicator.class)
				.doesNotHaveBean(OjsHealthIndicator.class));
	}

	@Test
	void processThatOnlyEnqueuesHasBoth() {
		this.exposed.withPropertyValues("ojs.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(OjsEndpoint.class)
				.hasSingleBean(OjsHealthIndicator.class));
	}

}
