package io.ojs.boot.queue;

import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.queue.Queues;
import io.ojs.queue.internal.lifecycle.QueueAdmission;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When queues can be managed.
 */
class QueuesConditionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsQueuesAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy",
				"spring.datasource.generate-unique-name=true");

	@Test
	void queuesOfTheStoreAreManaged() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(QueueRegistry.class)
			.hasSingleBean(Queues.class)
			.hasSingleBean(QueueAdmission.class)
			.hasSingleBean(QueuesLifecycle.class));
	}

}
