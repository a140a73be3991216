package io.ojs.boot;

import io.ojs.handler.OjsJobHandler;
import io.ojs.store.internal.relay.HandOver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What cannot be said of a queue that is handed over.
 */
class QueueDeliveryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class))
		.withPropertyValues("ojs.queues.py.delivery=hand-over", "ojs.queues.other.delivery=broker");

	@Test
	void queuesAreHandedOverThatSaySo() {
		this.runner.run((context) -> assertThat(context.getBean(HandOver.class).queues()).containsExactly("py"));
	}

	@ParameterizedTest
	@CsvSource({ "concurrency,3", "prefetch,3", "timeout,3s", "max-size,3", "max-size-bytes,3KB",
			"overflow-policy,reject" })
	void whatItsWorkersDecideIsRefused(String property, String value) {
		this.runner.withPropertyValues("ojs.queues.py.%s=%s".formatted(property, value))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.queues.py." + property)
				.hasMessageContaining("delivery=hand-over"));
	}

	@Test
	void aHandlerOfTheQueueIsRefused() {
		this.runner.withConfiguration(AutoConfigurations.of(OjsAmqpAutoConfiguration.class))
			.withBean(ConnectionFactory.class, () -> new CachingConnectionFactory("localhost", 1))
			.withBean(Works.class)
			.withPropertyValues("ojs.topology.declaration=none")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.queues.py.delivery"));
	}

	static class Works {

		@OjsJobHandler(value = "py.work", queue = "py")
		void work() {
			// Others do.
		}

	}

}
