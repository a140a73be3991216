package io.ojs.boot.webhook;

import java.time.Clock;

import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.amqp.internal.observe.MicrometerWebhookMetrics;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.WebhooksProperties;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.internal.admin.AdminStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.webhook.JdbcWebhookStore;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.web.internal.webhook.WebhookDeliveryEndpoints;
import io.ojs.web.internal.webhook.WebhookEndpoints;
import io.ojs.webhook.WebhookSender;
import io.ojs.webhook.Webhooks;
import io.ojs.webhook.internal.SocketWebhookSender;
import io.ojs.webhook.internal.StoreWebhooks;
import io.ojs.webhook.internal.WebhookDelivery;
import io.ojs.webhook.internal.WebhookDispatch;
import io.ojs.webhook.internal.WebhookMetrics;
import io.ojs.webhook.internal.WebhookOptions;
import io.ojs.webhook.internal.WebhookSecrets;
import io.ojs.webhook.internal.WebhookStore;
import io.ojs.webhook.internal.WebhookTrial;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of webhooks, for applications with a job store and
 * {@code ojs.webhooks.enabled=true}.
 */
@AutoConfiguration(after = { OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class },
		afterName = { "io.ojs.boot.store.OjsStoreAutoConfiguration",
				"io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ojs.webhooks.enabled")
public final class OjsWebhooksAutoConfiguration {

	private static final int MOST_DELIVERIES = 100;

	/** A class that refers to no others, so that the check loads nothing else. */
	private static final String HTTP_CORE = "org.apache.hc.core5.http.HttpHeaders";

	OjsWebhooksAutoConfiguration(OjsProperties properties, ObjectProvider<JobStore> store) {
		check(properties.webhooks());
		if (store.getIfAvailable() == null) {
			throw new InvalidConfigurationException("ojs.webhooks.enabled", true,
					"needs a job store, and there is none",
					"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc, and "
							+ "leave ojs.store.enabled at true; or remove it.");
		}
		if (properties.store().eventRetention().isZero()) {
			throw new InvalidConfigurationException("ojs.store.event-retention", properties.store().eventRetention(),
					"must be more than 0 with ojs.webhooks.enabled=true: webhooks are told what the feed of events has",
					"Set it to the time for which receivers may be away, such as 7d; or remove ojs.webhooks.enabled.");
		}
	}

	private static void check(WebhooksProperties webhooks) {
		PropertiesCheck.positive("ojs.webhooks.timeout", webhooks.timeout());
		if (webhooks.timeout().compareTo(WebhookOptions.MAX_TIMEOUT) > 0) {
			throw new InvalidConfigurationException("ojs.webhooks.timeout", webhooks.timeout(),
					"must not be longer than " + WebhookOptions.MAX_TIMEOUT, "Set it to some seconds, such as 30s.");
		}
		PropertiesCheck.between("ojs.webhooks.retry.max-attempts", webhooks.retry().maxAttempts(), MOST_DELIVERIES);
		PropertiesCheck.between("ojs.webhooks.max-subscriptions", webhooks.maxSubscriptions(),
				Webhooks.MAX_SUBSCRIPTIONS);
		PropertiesCheck.positive("ojs.webhooks.retry.initial-interval", webhooks.retry().initialInterval());
		PropertiesCheck.notNegative("ojs.webhooks.secret-transition", webhooks.secretTransition());
		PropertiesCheck.positive("ojs.webhooks.poll-interval", webhooks.pollInterval());
	}

	/**
	 * Webhooks in the database of the job store.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(StoreDatabase.class)
	@ConditionalOnBean(StoreDatabase.class)
	static class Stored {

		private final WebhookOptions options;

		private final Clock clock;

		Stored(OjsProperties properties, ObjectProvider<Clock> clock) {
			this.options = options(properties.webhooks());
			this.clock = Clocks.of(clock);
		}

		private static WebhookOptions options(WebhooksProperties webhooks) {
			return new WebhookOptions(webhooks.allowHttp(), webhooks.allowPrivateAddresses(), webhooks.timeout(),
					webhooks.retry().maxAttempts(), webhooks.retry().initialInterval(), webhooks.secretTransition(),
					webhooks.pollInterval(), webhooks.maxSubscriptions());
		}

		@Bean
		JdbcWebhookStore ojsWebhookStore(StoreDatabase database) {
			return new JdbcWebhookStore(database);
		}

		@Bean
		WebhookSecrets ojsWebhookSecrets(ObjectProvider<JobEncryption> encryption) {
			return new WebhookSecrets(encryption.getIfAvailable(() -> JobEncryption.OFF));
		}

		@Bean
		@ConditionalOnMissingBean(WebhookSender.class)
		SocketWebhookSender ojsWebhookSender(ResourceLoader resources) {
			if (!ClassUtils.isPresent(HTTP_CORE, resources.getClassLoader())) {
				throw new InvalidConfigurationException("ojs.webhooks.enabled", true,
						"needs Apache HttpCore to post webhooks, and it is not on the class path",
						"Add the dependency org.apache.httpcomponents.core5:httpcore5, which ojs-spring-boot-starter has; "
								+ "or define a bean of type WebhookSender; or remove ojs.webhooks.enabled.");
			}
			return new SocketWebhookSender(this.options.allowPrivateAddresses());
		}

		@Bean
		Webhooks ojsWebhooks(WebhookStore store, StoreTransactions transactions, WebhookSecrets secrets) {
			return new StoreWebhooks(store, transactions, secrets, this.options, this.clock);
		}

		@Bean
		WebhookDelivery ojsWebhookDelivery(WebhookStore store, WebhookSender sender, WebhookSecrets secrets,
				ObjectProvider<WebhookMetrics> metrics) {
			return new WebhookDelivery(store, sender, secrets, this.options,
					metrics.getIfAvailable(() -> WebhookMetrics.NONE), this.clock);
		}

		@Bean(destroyMethod = "")
		WebhookDispatch ojsWebhookDispatch(WebhookStore store, EventFeed feed, StoreTransactions transactions,
				PreparedJobs prepared, JobFactory factory) {
			return new WebhookDispatch(store, feed, transactions, prepared, factory, this.options, this.clock);
		}

		@Bean
		BackgroundLifecycle ojsWebhooksLifecycle(WebhookDispatch dispatch) {
			return new BackgroundLifecycle(dispatch::start, dispatch::close, BackgroundLifecycle.STORE_PHASE + 1);
		}

		@Bean
		WebhookTrial ojsWebhookTrial(WebhookStore store, WebhookSender sender, WebhookSecrets secrets) {
			return new WebhookTrial(store, sender, secrets, this.options, this.clock);
		}

		/**
		 * Endpoints of subscriptions, for applications with the HTTP API.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnHttpApi
		static class Http {

			@Bean
			WebhookEndpoints ojsWebhookEndpoints(Webhooks webhooks, WebhookTrial trial) {
				return new WebhookEndpoints(webhooks, trial);
			}

			@Bean
			@ConditionalOnBean(DeadLetters.class)
			WebhookDeliveryEndpoints ojsWebhookDeliveryEndpoints(AdminStore jobs, DeadLetters letters) {
				return new WebhookDeliveryEndpoints(jobs, letters);
			}

		}

		/**
		 * Meters of deliveries.
		 */
		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ MeterRegistry.class, MicrometerWebhookMetrics.class })
		@ConditionalOnBean(MeterRegistry.class)
		static class Metrics {

			@Bean
			MicrometerWebhookMetrics ojsWebhookMetrics(MeterRegistry registry) {
				return new MicrometerWebhookMetrics(registry);
			}

		}

	}

}
