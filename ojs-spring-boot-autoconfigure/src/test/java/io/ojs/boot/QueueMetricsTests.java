package io.ojs.boot;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ojs.amqp.internal.observe.MicrometerQueueMetrics;
import io.ojs.boot.actuate.OjsMetricsAutoConfiguration;
import io.ojs.boot.queue.OjsQueuesAutoConfiguration;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.client.OjsOperations;
import io.ojs.job.JobRequest;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.Queues;
import io.ojs.queue.internal.lifecycle.QueueJobs;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The six meters of queues (OJS Queue Configuration §10.2), in an application with a
 * database and no broker.
 */
class QueueMetricsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsQueuesAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				OjsMetricsAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy",
				"spring.datasource.generate-unique-name=true");

	@Test
	@Tag("QC-10.2-1")
	@Tag("GUIDE-7-2")
	void queuesAreMeasuredAsTheSpecificationSays() {
		this.runner.run((context) -> {
			Queues queues = context.getBean(Queues.class);
			OjsOperations ojs = context.getBean(OjsOperations.class);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			queues.create("full", QueueConfig.builder().maxSize(2L).build());
			queues.create("flowing",
					QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.DROP_OLDEST).build());
			ojs.enqueueAll(List.of(in("full"), in("full"), in("flowing"), in("implicit")));
			assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> ojs.enqueue(in("full")));
			ojs.enqueue(in("flowing"));
			context.getBean(QueueRegistry.class).refresh();
			context.getBean(MicrometerQueueMetrics.class)
				.refresh(queues.list(), context.getBean(QueueJobs.class).unfinished());
			assertThat(depth(registry, "full", "available")).isEqualTo(2);
			assertThat(depth(registry, "full", "active")).isZero();
			assertThat(depth(registry, "implicit", "available")).isEqualTo(1);
			assertThat(registry.get("ojs.queue.max_size").tag("queue", "full").gauge().value()).isEqualTo(2);
			assertThat(registry.get("ojs.queue.utilization").tag("queue", "full").gauge().value()).isEqualTo(1);
			assertThat(registry.find("ojs.queue.max_size").tag("queue", "implicit").gauge()).as("no limit").isNull();
			assertThat(overflow(registry, "full", "reject")).isEqualTo(1);
			assertThat(overflow(registry, "flowing", "drop_oldest")).isEqualTo(1);
			assertThat(registry.get("ojs.queue.created.count").functionCounter().count()).isEqualTo(3);
			queues.delete("implicit", new DeletionStrategy.Discard());
			await().untilAsserted(
					() -> assertThat(registry.get("ojs.queue.deleted.count").counter().count()).isEqualTo(1));
		});
	}

	@Test
	@Tag("QC-10.2-1")
	void gaugesAreCountedByThemselvesSoonAfterTheStart() {
		ApplicationContextRunner onOneDatabase = this.runner.withPropertyValues(
				"spring.datasource.generate-unique-name=false",
				"spring.datasource.url=jdbc:h2:mem:queue-metrics;DB_CLOSE_DELAY=-1");
		onOneDatabase.run((context) -> {
			context.getBean(Queues.class).create("full", QueueConfig.builder().maxSize(4L).build());
			context.getBean(OjsOperations.class).enqueue(in("full"));
		});
		onOneDatabase.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().untilAsserted(() -> {
				assertThat(registry.find("ojs.queue.utilization").tag("queue", "full").gauge()).isNotNull();
				assertThat(registry.get("ojs.queue.utilization").tag("queue", "full").gauge().value()).isEqualTo(0.25);
				assertThat(registry.get("ojs.queue.max_size").tag("queue", "full").gauge().value()).isEqualTo(4);
				assertThat(depth(registry, "full", "available")).isEqualTo(1);
			});
		});
	}

	@Test
	@Tag("QC-10.2-1")
	void jobThatWaitedForRoomInVainIsAnOverflowOfThePolicyBlock() {
		this.runner.withPropertyValues("ojs.publisher.block-timeout=200ms").run((context) -> {
			OjsOperations ojs = context.getBean(OjsOperations.class);
			context.getBean(Queues.class)
				.create("blocking", QueueConfig.builder().maxSize(1L).overflowPolicy(OverflowPolicy.BLOCK).build());
			ojs.enqueue(in("blocking"));
			assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> ojs.enqueue(in("blocking")));
			assertThat(overflow(context.getBean(MeterRegistry.class), "blocking", "block")).isEqualTo(1);
		});
	}

	private static double depth(MeterRegistry registry, String queue, String state) {
		return registry.get("ojs.queue.depth").tags("queue", queue, "state", state).gauge().value();
	}

	private static double overflow(MeterRegistry registry, String queue, String policy) {
		return registry.get("ojs.queue.overflow.count").tags("queue", queue, "policy", policy).counter().count();
	}

	private static JobRequest in(String queue) {
		return JobRequest.of("a").queue(queue);
	}

}
