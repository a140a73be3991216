package io.ojs.boot.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.observe.ConnectionWatch;
import io.ojs.amqp.internal.observe.MicrometerAmqpMetrics;
import io.ojs.amqp.internal.observe.MicrometerJobMetrics;
import io.ojs.amqp.internal.observe.MicrometerQueueMetrics;
import io.ojs.amqp.internal.observe.MicrometerTenantMetrics;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.KnownQueues;
import io.ojs.boot.queue.OjsQueuesAutoConfiguration;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.queue.Queues;
import io.ojs.queue.internal.lifecycle.QueueJobs;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.PeriodicTasks;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of meters, for applications with Micrometer.
 */
@AutoConfiguration(after = { OjsAmqpAutoConfiguration.class, OjsQueuesAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass({ MeterRegistry.class, MicrometerAmqpMetrics.class })
@ConditionalOnBean({ MeterRegistry.class, ConnectionWatch.class })
public final class OjsMetricsAutoConfiguration {

	/** Each count reads an index of all jobs that have not ended. */
	private static final Duration COUNTING = Duration.ofSeconds(30);

	/** There are no gauges of queues before the first count. */
	private static final Duration FIRST_COUNT = Duration.ofSeconds(1);

	@Bean
	AmqpMetrics ojsAmqpMetrics(MeterRegistry registry, ConnectionWatch connections, OjsProperties properties,
			JobHandlers handlers) {
		return new MicrometerAmqpMetrics(registry, connections, KnownQueues.of(properties, handlers));
	}

	@Bean
	MicrometerJobMetrics ojsJobMetrics(MeterRegistry registry, OjsProperties properties, JobHandlers handlers) {
		Set<String> types = handlers.byQueue()
			.values()
			.stream()
			.flatMap((definitions) -> definitions.stream())
			.map(JobHandlerDefinition::type)
			.collect(Collectors.toSet());
		return new MicrometerJobMetrics(registry, KnownQueues.of(properties, handlers), types);
	}

	@Bean
	@ConditionalOnBean(QueueRegistry.class)
	MicrometerQueueMetrics ojsQueueMetrics(MeterRegistry registry, QueueRegistry queues) {
		return new MicrometerQueueMetrics(registry, queues);
	}

	@Bean(initMethod = "start", destroyMethod = "close")
	@ConditionalOnBean(QueueRegistry.class)
	PeriodicTasks ojsQueueCounting(MicrometerQueueMetrics metrics, Queues queues, QueueJobs jobs) {
		return new PeriodicTasks(List.of(new PeriodicTask("Jobs of queues cannot be counted", FIRST_COUNT, () -> {
			metrics.refresh(queues.list(), jobs.unfinished());
			return COUNTING;
		})));
	}

	@Bean
	@ConditionalOnBooleanProperty("ojs.tenancy.enabled")
	MicrometerTenantMetrics ojsTenantMetrics(MeterRegistry registry, OjsProperties properties, JobHandlers handlers) {
		return new MicrometerTenantMetrics(registry, properties.tenancy().metrics().tenants(),
				KnownQueues.of(properties, handlers));
	}

}
