package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;

import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.client.internal.JobFactory;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.middleware.EnqueueChain;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.internal.StoreClock;
import io.ojs.tenant.Tenants;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
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

	JobsConfiguration(OjsProperties properties, @Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		PropertiesCheck.check(properties);
		this.properties = properties;
		this.settings = new QueueSettingsFactory(properties);
		this.clock = Clocks.of(ofStore, clock);
	}

	@Bean
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
	Timeouts ojsTimeouts(ObjectProvider<LiveQueues> queues) {
		LiveQueues live = queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
		return new Timeouts((queue) -> {
			Duration now = live.get(queue).config().defaultTimeout();
			return (now != null) ? now : this.settings.timeout(queue);
		});
	}

	@Bean
	JobFactory ojsJobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec,
			Tenants tenants, EnqueueChain chain, ObjectProvider<JobEncryption> encryption) {
		return new JobFactory(handlers, retryPolicies, values, codec, this.clock,
				(int) this.properties.maxEnvelopeSize().toBytes(), new UniqueKeys(this.properties.unique().secret()))
			.tenants(tenants)
			.middleware(chain)
			.encryption(encryption.getIfAvailable(() -> JobEncryption.OFF));
	}

}
