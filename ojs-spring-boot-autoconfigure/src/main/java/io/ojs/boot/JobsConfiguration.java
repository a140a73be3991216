package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;

import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.client.internal.JobFactory;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.store.internal.StoreClock;
import io.ojs.tenant.internal.ThreadTenants;

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

	private final ObjectProvider<EncryptionKeys> keys;

	JobsConfiguration(OjsProperties properties, QueueSettingsFactory settings,
			@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock,
			ObjectProvider<EncryptionKeys> keys) {
		PropertiesCheck.check(properties);
		this.properties = properties;
		this.settings = settings;
		this.clock = Clocks.of(ofStore, clock);
		this.keys = keys;
	}

	@Bean
	RetryPolicies ojsRetryPolicies(JobHandlers handlers, ObjectProvider<LiveQueues> queues) {
		LiveQueues live = queues.getIfAvailable(() -> LiveQueues.UNMANAGED);
		return new RetryPolicies((queue) -> {
			QueueConfig now = live.get(queue).config();
			return (now.defaultRetry() != null) ? now.retryPolicy() : this.settings.settings(queue).retry();
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
			ThreadTenants tenants, EnqueueChain chain, ObjectProvider<JobEncryption> encryption) {
		JobEncryption encrypting = encryption.getIfAvailable(() -> {
			checkThatNothingIsSecret();
			return JobEncryption.OFF;
		});
		return new JobFactory(handlers, retryPolicies, values, codec, this.clock,
				(int) this.properties.maxEnvelopeSize().toBytes(), new UniqueKeys(this.properties.unique().secret()))
			.tenants(tenants)
			.middleware(chain)
			.encryption(encrypting);
	}

	/** Arguments must not go out as plain text where keys say that they are secret. */
	private void checkThatNothingIsSecret() {
		if (this.properties.encryption().areSet() || this.keys.stream().findAny().isPresent()) {
			throw new InvalidConfigurationException("spring.autoconfigure.exclude",
					"io.ojs.boot.crypto.OjsEncryptionAutoConfiguration",
					"there are keys or settings of encryption, and nothing would encrypt by them",
					"Do not exclude OjsEncryptionAutoConfiguration, or remove ojs.encryption and the bean of type EncryptionKeys.");
		}
	}

}
