package io.ojs.boot;

import io.ojs.boot.internal.OjsFailureAnalyzer;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.queue.Delivery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which queues the store delivers, by properties.
 */
class StoreDeliveryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class));

	private void assertDelivery(String queue, Delivery delivery, String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> {
			QueueSettingsFactory settings = context.getBean(QueueSettingsFactory.class);
			settings.check();
			assertThat(settings.settings(queue).delivery()).isEqualTo(delivery);
		});
	}

	@Test
	void theBrokerDeliversWhereNothingElseIsSaid() {
		assertDelivery("email", Delivery.BROKER);
		assertDelivery("other", Delivery.BROKER, "ojs.queues.email.delivery=store");
	}

	@Test
	void whatAQueueSaysItselfCountsBeforeTheDefaults() {
		assertDelivery("email", Delivery.STORE, "ojs.queues.email.delivery=store");
		assertDelivery("email", Delivery.STORE, "ojs.queue-defaults.delivery=store");
		assertDelivery("email", Delivery.STORE, "ojs.queue-defaults.delivery=store", "ojs.queues.email.prefetch=3");
		assertDelivery("email", Delivery.BROKER, "ojs.queue-defaults.delivery=store",
				"ojs.queues.email.delivery=broker");
		assertDelivery("email", Delivery.STORE, "ojs.queue-defaults.delivery=broker",
				"ojs.queues.email.delivery=store");
		assertDelivery("email", Delivery.HAND_OVER, "ojs.queue-defaults.delivery=store",
				"ojs.queues.email.delivery=hand-over");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ojs.queues.email.ordering=strict", "ojs.queues.email.ordering=key",
			"ojs.queues.email.single-active-consumer=true", "ojs.queues.email.arguments.x-single-active-consumer=true",
			"ojs.queue-defaults.ordering=strict", "ojs.queue-defaults.single-active-consumer=true" })
	void aQueueWithAnOrderIsDeliveredByTheBrokerAlthoughTheDefaultsSayOtherwise(String order) {
		assertDelivery("email", Delivery.BROKER, "ojs.queue-defaults.delivery=store", order);
	}

	@Test
	void aQueueWithoutTheOrderOfTheDefaultsIsDeliveredByTheStore() {
		assertDelivery("email", Delivery.STORE, "ojs.queue-defaults.ordering=strict", "ojs.queues.email.ordering=none",
				"ojs.queues.email.delivery=store");
	}

	@ParameterizedTest
	@CsvSource({ "email,ojs.queues.email.ordering=strict", "email,ojs.queues.email.ordering=key",
			"email,ojs.queues.email.single-active-consumer=true", "email,ojs.queue-defaults.ordering=strict",
			"email,ojs.queue-defaults.single-active-consumer=true", "[mail.bulk],ojs.queues.[mail.bulk].ordering=key" })
	void aQueueThatIsToHaveAnOrderAndTheStoreIsRefused(String queue, String order) {
		String key = "ojs.queues." + queue + ".delivery";
		this.runner.withPropertyValues(order, key + "=store").run((context) -> {
			QueueSettingsFactory settings = context.getBean(QueueSettingsFactory.class);
			assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(settings::check)
				.satisfies((refusal) -> {
					FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(refusal);
					assertThat(analysis).isNotNull();
					assertThat(analysis.getDescription()).contains(key + " = store", "one job at a time in its order");
					assertThat(analysis.getAction()).contains("Remove the delivery", "ordering",
							"single-active-consumer");
				});
		});
	}

}
