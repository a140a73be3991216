package io.ojs.boot.deadletter;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.amqp.internal.observe.MicrometerDeadLetterMetrics;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.client.OjsOperations;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.internal.DeadLetterCounts;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.bulk.BulkOperationStore;
import io.ojs.internal.bulk.BulkRunner;
import io.ojs.internal.bulk.BulkWork;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.process.ThisProcess;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.bulk.JdbcBulkOperationStore;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.job.JobIdGenerator;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.relay.Relay;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.bulk.BulkOperationEndpoints;
import io.ojs.web.internal.deadletter.DeadLetterEndpoints;
import io.ojs.web.internal.deadletter.DeadLetterFacetEndpoints;
import io.ojs.web.internal.endpoint.AdminJobEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of dead letters, for applications with a job store.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class,
		afterName = { "io.ojs.boot.store.OjsStoreAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
public final class OjsDeadLettersAutoConfiguration {

	private final OjsProperties properties;

	private final Clock clock;

	OjsDeadLettersAutoConfiguration(OjsProperties properties,
			@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock) {
		this.properties = properties;
		this.clock = Clocks.of(ofStore, clock);
	}

	@Bean
	JdbcDeadLetterStore ojsDeadLetterStore(StoreDatabase database) {
		return new JdbcDeadLetterStore(database);
	}

	@Bean
	StoreDeadLetters ojsDeadLetters(DeadLetterStore store, StoreTransactions transactions, JsonValues values,
			JobCodec codec, ObjectProvider<JobEncryption> encryption, ObjectProvider<Relay> relay) {
		return new StoreDeadLetters(store, transactions, values, codec,
				Math.toIntExact(this.properties.maxEnvelopeSize().toBytes()), this.clock,
				() -> relay.ifAvailable(Relay::wake))
			.encryption(encryption.getIfAvailable(() -> JobEncryption.OFF));
	}

	/**
	 * Operations on many jobs.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean({ AdminStore.class, OjsOperations.class })
	static class Bulk {

		@Bean
		JdbcBulkOperationStore ojsBulkOperationStore(StoreDatabase database) {
			return new JdbcBulkOperationStore(database);
		}

		@Bean
		BulkWork ojsBulkWork(StoreDeadLetters letters, DeadLetterStore store, AdminStore jobs, JobSearch search,
				OjsOperations ojs, Producers producers) {
			return new BulkWork(letters, store, jobs, search, ojs, producers);
		}

		@Bean(destroyMethod = "")
		BulkRunner ojsBulkRunner(BulkOperationStore store, StoreTransactions transactions, BulkWork work,
				ThisProcess process, OjsProperties properties,
				@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock) {
			return new BulkRunner(store, transactions, work, process.id(), properties.store().lease(),
					Clocks.of(ofStore, clock));
		}

		/** Replayed jobs must still be published when it stops. */
		@Bean
		BackgroundLifecycle ojsBulkLifecycle(BulkRunner runner) {
			return new BackgroundLifecycle(runner::start, runner::close, BackgroundLifecycle.STORE_PHASE + 1);
		}

	}

	/**
	 * Gauges of dead letters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterRegistry.class, MicrometerDeadLetterMetrics.class })
	@ConditionalOnBean(MeterRegistry.class)
	static class Metrics {

		/** The gauges show trends, and each count reads an index of all dead letters. */
		private static final Duration INTERVAL = Duration.ofSeconds(30);

		@Bean
		MicrometerDeadLetterMetrics ojsDeadLetterMetrics(MeterRegistry registry, DeadLetterStore store) {
			return new MicrometerDeadLetterMetrics(registry, new DeadLetterCounts(store));
		}

		@Bean(initMethod = "start", destroyMethod = "close")
		PeriodicTasks ojsDeadLetterCounting(MicrometerDeadLetterMetrics metrics) {
			return new PeriodicTasks(
					List.of(new PeriodicTask("Dead letters cannot be counted", INTERVAL, metrics::refresh)));
		}

	}

	/**
	 * Endpoints of dead letters.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		private final Clock clock;

		Http(@Qualifier(Clocks.STORE) ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock) {
			this.clock = Clocks.of(ofStore, clock);
		}

		@Bean
		DeadLetterEndpoints ojsDeadLetterEndpoints(DeadLetters letters, DeadLetterStore store, AdminStore jobs,
				EnqueueRules rules) {
			return new DeadLetterEndpoints(letters, store, jobs, rules);
		}

		@Bean
		DeadLetterFacetEndpoints ojsDeadLetterFacetEndpoints(DeadLetterStore store) {
			return new DeadLetterFacetEndpoints(store);
		}

		@Bean
		BulkOperationEndpoints ojsBulkOperationEndpoints(BulkOperationStore store, BulkRunner runner, BulkWork work,
				DeadLetters letters, EnqueueRules rules, Producers producers) {
			return new BulkOperationEndpoints(store, runner, work, letters, rules, producers,
					new JobIdGenerator(this.clock));
		}

		@Bean
		AdminJobEndpoints ojsAdminJobEndpoints(OjsOperations ojs, JobStore store, AdminStore jobs, JobSearch search,
				DeadLetters letters) {
			return new AdminJobEndpoints(ojs, store, jobs, search, letters);
		}

	}

}
