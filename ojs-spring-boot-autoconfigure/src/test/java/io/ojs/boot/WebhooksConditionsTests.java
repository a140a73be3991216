package io.ojs.boot;

import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.boot.webhook.OjsWebhooksAutoConfiguration;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.webhook.WebhookReply;
import io.ojs.webhook.WebhookSender;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.WebhookDispatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there are webhooks.
 */
class WebhooksConditionsTests {

	private final ApplicationContextRunner broker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsAmqpAutoConfiguration.class, OjsWebhooksAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy");

	private final ApplicationContextRunner both = this.broker
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void thereAreWebhooksIfSomebodyWantsThem() {
		this.both.withPropertyValues("ojs.webhooks.enabled=true").run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Webhooks.class).hasSingleBean(WebhookDispatch.class);
			assertThat(context.getBean(JobHandlers.class).byQueue()).containsOnlyKeys("ojs-webhooks");
		});
		this.both.run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Webhooks.class);
			assertThat(context.getBean(JobHandlers.class).byQueue()).isEmpty();
		});
	}

	@Test
	void withoutAStoreTheApplicationDoesNotStart() {
		this.broker.withPropertyValues("ojs.webhooks.enabled=true")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.webhooks.enabled", "job store"));
	}

	@Test
	void withoutAFeedTheApplicationDoesNotStart() {
		this.both.withPropertyValues("ojs.webhooks.enabled=true", "ojs.store.event-retention=0s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.store.event-retention", "ojs.webhooks.enabled"));
	}

	@ParameterizedTest
	@CsvSource({ "timeout,0s", "timeout,61s", "retry.max-attempts,0", "retry.max-attempts,101",
			"retry.initial-interval,0s", "max-subscriptions,0", "max-subscriptions,1001", "secret-transition,-1s",
			"poll-interval,0s" })
	void whatCannotWorkStopsTheApplication(String key, String value) {
		this.both.withPropertyValues("ojs.webhooks.enabled=true", "ojs.webhooks." + key + "=" + value)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("ojs.webhooks." + key));
	}

	@Test
	void theApplicationMayPostInItsOwnWay() {
		WebhookSender own = (url, headers, body, timeout) -> new WebhookReply(200, "", timeout);
		this.both.withPropertyValues("ojs.webhooks.enabled=true")
			.withClassLoader(new FilteredClassLoader("org.apache.hc"))
			.withBean(WebhookSender.class, () -> own)
			.run((context) -> assertThat(context.getBean(WebhookSender.class)).isSameAs(own));
	}

	@Test
	void withoutHttpCoreTheApplicationStartsOnlyWithoutWebhooks() {
		ApplicationContextRunner without = this.both.withClassLoader(new FilteredClassLoader("org.apache.hc"));
		without.run((context) -> assertThat(context).hasNotFailed());
		without.withPropertyValues("ojs.webhooks.enabled=true")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationException.class,
						(failure) -> assertThat(failure.fix()).contains("org.apache.httpcomponents.core5:httpcore5",
								"WebhookSender"))
				.hasMessageContaining("ojs.webhooks.enabled"));
	}

}
