package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;

import io.ojs.amqp.topology.Topology;
import io.ojs.client.JobFactory;
import io.ojs.crypto.JobEncryption;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.handler.Timeouts;
import io.ojs.json.JobCodec;
import io.ojs.json.JsonValues;
import io.ojs.middleware.EnqueueChain;
import io.ojs.queue.LiveQueues;
import io.ojs.queue.QueueConfig;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoreClock;
import io.ojs.tenant.Tenants;
import io.ojs.unique.UniqueKeys;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Creation of jobs, and the policies for their retries and timeouts, for every kind of
 * transport.
 */
@Configuration(proxyBeanMethods = false)
class JobsConfiguration {

	private final OjsProperties properties;

	private final QueueSettingsFactory settings;

	private final Clock clock;

	JobsConfiguration(OjsProperties properties,
			@Qualifier(OjsStoreAutoConfiguration.STORE_CLOCK) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		PropertiesCheck.check(properties);
		this.properties = properties;
		this.settings = new QueueSettingsFactory(properties);
		this.clock = OjsAutoConfiguration.clock(ofStore, clock);
	}

	@Bean
	@ConditionalOnMissingBean
	RetryPolicies ojsRetryPolicies(ObjectProvider<Topology> topology, JobHandlers handlers,
			ObjectProvider<LiveQueues> queues) {
		LiveQueues live = queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
		Topology known = topology.getIfAvailable();
		Function<String, RetryPolicy> configured = (known != null) ? (queue) -> known.settings(queue).retry()
				: (queue) -> this.settings.settings(queue).retry();
		return new RetryPolicies((queue) -> {
			QueueConfig now = live.get(queue).config();
			return (now.defaultRetry() != null) ? now.retryPolicy() : configured.apply(queue);
		}, handlers);
	}

	@Bean
	@ConditionalOnMissingBean
	Timeouts ojsTimeouts(ObjectProvider<LiveQueues> queues) {
		LiveQueues live = queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
		return new Timeouts((queue) -> {
			Duration now = live.get(queue).config().defaultTimeout();
			return (now != null) ? now : this.settings.timeout(queue);
		});
	}

	@Bean
	@ConditionalOnMissingBean
	JobFactory ojsJobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec,
			Tenants tenants, EnqueueChain chain, JobEncryption encryption) {
		return new JobFactory(handlers, retryPolicies, values, codec, this.clock,
				(int) this.properties.maxEnvelopeSize().toBytes(), new UniqueKeys(this.properties.unique().secret()))
			.tenants(tenants)
			.middleware(chain)
			.encryption(encryption);
	}

}
