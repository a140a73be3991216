package io.ojs.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.observe.MicrometerAmqpMetrics;
import io.ojs.amqp.internal.observe.MicrometerJobMetrics;
import io.ojs.amqp.internal.observe.MicrometerTenantMetrics;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.boot.actuate.OjsMetricsAutoConfiguration;
import io.ojs.event.internal.JobEvents;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there are meters.
 */
class MetricsConditionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class, OjsMetricsAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1");

	@Test
	void metersAreRegisteredAfterBootHasMadeARegistry() {
		this.runner
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasSingleBean(MicrometerAmqpMetrics.class)
					.hasSingleBean(MicrometerJobMetrics.class);
				assertThat(context.getBean(MeterRegistry.class).get("ojs.amqp.connections.active").gauge().value())
					.isZero();
			});
	}

	@Test
	void tenantsThatAreNamedHaveMeters() {
		ApplicationContextRunner metered = this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
		metered.run((context) -> assertThat(context).doesNotHaveBean(MicrometerTenantMetrics.class));
		metered.withPropertyValues("ojs.tenancy.enabled=true", "ojs.tenancy.metrics.tenants=acme,beta")
			.run((context) -> {
				context.getBean(JobEvents.class)
					.enqueued(Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "mail")
						.meta("tenant_id", "beta")
						.build());
				assertThat(context.getBean(MeterRegistry.class)
					.get("ojs.tenant.jobs.enqueued")
					.tags("tenant_id", "beta")
					.counter()
					.count()).isEqualTo(1);
			});
	}

	@Test
	void withoutARegistryThereAreNone() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(OjsTemplate.class)
			.hasSingleBean(ConnectionWatch.class)
			.doesNotHaveBean(AmqpMetrics.class)
			.doesNotHaveBean(MicrometerJobMetrics.class));
	}

	@Test
	void withoutMicrometerThereAreNone() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean(AmqpMetrics.class));
	}

	@Test
	void withoutAConnectionFactoryThereAreNone() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
					OjsMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AmqpMetrics.class));
	}

	@Test
	void switchTurnsThemOff() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("ojs.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(AmqpMetrics.class)
				.doesNotHaveBean(MicrometerJobMetrics.class));
	}

}
