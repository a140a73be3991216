package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.amqp.observe.MicrometerDeadLetterMetrics;
import io.ojs.crypto.JobEncryption;
import io.ojs.deadletter.DeadLetterCounts;
import io.ojs.deadletter.DeadLetterStore;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.StoreDeadLetters;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.jdbc.deadletter.JdbcDeadLetterStore;
import io.ojs.json.JobCodec;
import io.ojs.json.JsonValues;
import io.ojs.store.PeriodicTask;
import io.ojs.store.PeriodicTasks;
import io.ojs.store.StoreClock;
import io.ojs.store.StoreTransactions;
import io.ojs.store.relay.Relay;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of dead letters, for applications with a job store.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class,
		afterName = { "io.ojs.boot.OjsStoreAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBean(StoreTransactions.class)
public final class OjsDeadLettersAutoConfiguration {

	private final OjsProperties properties;

	private final Clock clock;

	OjsDeadLettersAutoConfiguration(OjsProperties properties,
			@Qualifier(OjsStoreAutoConfiguration.STORE_CLOCK) ObjectProvider<StoreClock> ofStore,
			ObjectProvider<Clock> clock) {
		this.properties = properties;
		this.clock = OjsAutoConfiguration.clock(ofStore, clock);
	}

	@Bean
	@ConditionalOnBean(DeadLetterStore.class)
	@ConditionalOnMissingBean
	DeadLetters ojsDeadLetters(DeadLetterStore store, StoreTransactions transactions, JsonValues values, JobCodec codec,
			JobEncryption encryption, ObjectProvider<Relay> relay) {
		return new StoreDeadLetters(store, transactions, values, codec,
				Math.toIntExact(this.properties.maxEnvelopeSize().toBytes()), this.clock,
				() -> relay.ifAvailable(Relay::wake))
			.encryption(encryption);
	}

	/**
	 * Dead letters in the database of the job store.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcDeadLetterStore.class)
	@ConditionalOnBean(StoreDatabase.class)
	static class Jdbc {

		@Bean
		@ConditionalOnMissingBean(DeadLetterStore.class)
		JdbcDeadLetterStore ojsDeadLetterStore(StoreDatabase database) {
			return new JdbcDeadLetterStore(database);
		}

	}

	/**
	 * Gauges of dead letters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterRegistry.class, MicrometerDeadLetterMetrics.class })
	@ConditionalOnBean({ MeterRegistry.class, DeadLetterStore.class })
	static class Metrics {

		/** The gauges show trends, and each count reads an index of all dead letters. */
		private static final Duration INTERVAL = Duration.ofSeconds(30);

		@Bean
		@ConditionalOnMissingBean
		MicrometerDeadLetterMetrics ojsDeadLetterMetrics(MeterRegistry registry, DeadLetterStore store) {
			return new MicrometerDeadLetterMetrics(registry, new DeadLetterCounts(store));
		}

		@Bean(initMethod = "start", destroyMethod = "close")
		PeriodicTasks ojsDeadLetterCounting(MicrometerDeadLetterMetrics metrics) {
			return new PeriodicTasks(
					List.of(new PeriodicTask("Dead letters cannot be counted", INTERVAL, metrics::refresh)));
		}

	}

}
