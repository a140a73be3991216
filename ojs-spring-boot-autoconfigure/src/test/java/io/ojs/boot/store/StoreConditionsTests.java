package io.ojs.boot.store;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

import javax.sql.DataSource;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsDataSource;
import io.ojs.boot.OjsWorkerAutoConfiguration;
import io.ojs.boot.cron.OjsCronAutoConfiguration;
import io.ojs.boot.queue.OjsQueuesAutoConfiguration;
import io.ojs.boot.rate.OjsRateLimitsAutoConfiguration;
import io.ojs.boot.tenant.OjsTenancyAutoConfiguration;
import io.ojs.boot.webhook.OjsWebhooksAutoConfiguration;
import io.ojs.boot.workflow.OjsWorkflowsAutoConfiguration;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.OjsOperations;
import io.ojs.client.UnsupportedJobException;
import io.ojs.cron.internal.CronScheduler;
import io.ojs.event.EventFeed;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreOptions;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRetention;
import io.ojs.queue.Queues;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Reaper;
import io.ojs.store.internal.relay.Outbox;
import io.ojs.store.internal.relay.Relay;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.tenant.internal.limit.TenantGate;
import io.ojs.webhook.internal.WebhookDispatch;
import io.ojs.workflow.internal.WorkflowEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * When there is a job store, and when there is none.
 */
class StoreConditionsTests {

	private static final String UNKNOWN_ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private final ApplicationContextRunner broker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsRateLimitsAutoConfiguration.class,
				OjsTenancyAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy");

	private final ApplicationContextRunner withoutFeatures = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsAmqpAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy",
				"spring.datasource.generate-unique-name=true");

	private final ApplicationContextRunner both = this.broker
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void limitsOfTenantsDoNotVanishWithTheirConfiguration() {
		this.withoutFeatures.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.tenancy.enabled", "OjsTenancyAutoConfiguration"));
	}

	@Test
	void dataSourceIsEnough() {
		this.both.run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.hasSingleBean(JobStore.class)
				.hasSingleBean(AttemptStore.class)
				.hasSingleBean(Outbox.class)
				.hasSingleBean(StoreLifecycle.class);
			assertThat(context.getBean(StoreLifecycle.class).isRunning()).isTrue();
			assertThat(context.getBean(OjsTemplate.class).find(UNKNOWN_ID)).isEmpty();
		});
	}

	@Test
	void ownOperationsReplaceThoseOfTheLibrary() {
		OjsOperations own = mock(OjsOperations.class);
		this.both.withBean(OjsOperations.class, () -> own).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(JobStore.class).hasSingleBean(OjsOperations.class);
			assertThat(context.getBean(OjsOperations.class)).isSameAs(own);
		});
	}

	@Test
	void withoutDataSourceThereIsNothingOfIt() {
		this.broker.run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean(StoreDatabase.class)
				.doesNotHaveBean(Relay.class)
				.doesNotHaveBean(StoreLifecycle.class);
			OjsTemplate ojs = context.getBean(OjsTemplate.class);
			assertThatExceptionOfType(JobStoreRequiredException.class).isThrownBy(() -> ojs.find(UNKNOWN_ID))
				.withMessageContaining("DataSource");
			assertThatExceptionOfType(JobStoreRequiredException.class).isThrownBy(() -> ojs.cancel(UNKNOWN_ID));
			assertThatExceptionOfType(JobStoreRequiredException.class).isThrownBy(() -> ojs.activate(UNKNOWN_ID));
			assertThatExceptionOfType(JobStoreRequiredException.class).isThrownBy(() -> ojs.list(JobQuery.first(1)));
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(() -> ojs.enqueue(JobRequest.of("a").pending()))
				.withMessageContaining("'pending'")
				.withMessageContaining("DataSource");
		});
	}

	@Test
	void withoutDataSourceNothingPolls() {
		this.broker
			.withConfiguration(AutoConfigurations.of(OjsCronAutoConfiguration.class, OjsQueuesAutoConfiguration.class,
					OjsStoreWorkerAutoConfiguration.class, OjsWorkerAutoConfiguration.class,
					OjsWorkflowsAutoConfiguration.class, OjsWebhooksAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobWorker.class)
				.doesNotHaveBean(Relay.class)
				.doesNotHaveBean(Reaper.class)
				.doesNotHaveBean(PeriodicTasks.class)
				.doesNotHaveBean(CronScheduler.class)
				.doesNotHaveBean(WorkflowEngine.class)
				.doesNotHaveBean(WebhookDispatch.class));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.enabled", "ojs.store.enabled" })
	void canBeSwitchedOff(String key) {
		this.both.withPropertyValues(key + "=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(StoreDatabase.class));
	}

	@Test
	void needsTheModuleAndSpringJdbc() {
		this.both.withClassLoader(new FilteredClassLoader(StoreDatabase.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean(Relay.class));
		this.broker.withBean("dataSource", DataSource.class, DriverManagerDataSource::new)
			.withClassLoader(new FilteredClassLoader(JdbcTemplate.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.doesNotHaveBean(Relay.class));
	}

	@Test
	void severalDataSourcesAreNotChosenFrom() {
		this.broker.withUserConfiguration(Two.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Relay.class));
	}

	@Test
	void markedDataSourceIsTakenAndTheOthersAreLeftAlone() {
		this.both.withUserConfiguration(Marked.class).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Relay.class);
			DataSource ofJobs = context.getBean("forJobs", DataSource.class);
			assertThat(new JdbcTemplate(ofJobs).queryForObject("select count(*) from ojs_job", Long.class)).isZero();
			DataSource ofApplication = context.getBean("dataSource", DataSource.class);
			assertThat(new JdbcTemplate(ofApplication).queryForObject(
					"select count(*) from information_schema.tables where lower(table_name) = 'ojs_job'", Long.class))
				.isZero();
		});
	}

	@Test
	void transactionManagerOfAnotherDataSourceStopsTheApplication() {
		this.both
			.withBean("transactionManager", JdbcTransactionManager.class,
					() -> new JdbcTransactionManager(new DriverManagerDataSource()))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("another data source"));
	}

	@Test
	void databaseThatJobsCannotBeKeptInStopsTheApplication() throws SQLException {
		DataSource other = mock(DataSource.class, Answers.RETURNS_DEEP_STUBS);
		given(other.getConnection().getMetaData().getDatabaseProductName()).willReturn("MySQL");
		this.broker.withBean("dataSource", DataSource.class, () -> other)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("MySQL")
				.hasMessageContaining("PostgreSQL, H2")
				.hasMessageContaining("ojs.store.enabled=false"));
	}

	@Test
	void databaseThatIsAwayDoesNotStopTheApplication() {
		this.broker
			.withBean("dataSource", DataSource.class,
					() -> new DriverManagerDataSource("jdbc:postgresql://localhost:1/none"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(StoreDatabase.class));
	}

	@Test
	void migrationsThatAreMissingStopTheApplicationAndAreNamed() {
		this.both.withPropertyValues("ojs.store.initialize-schema=never")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("io/ojs/jdbc/migration/h2/V1__baseline.sql")
				.hasMessageContaining("ojs.store.initialize-schema=always (it is never)"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void migrationsOfANewerVersionStopTheApplication(String mode) {
		ApplicationContextRunner again = this.both.withPropertyValues("spring.datasource.generate-unique-name=false",
				"spring.datasource.name=newer-" + mode, "ojs.store.initialize-schema=always");
		again.run((context) -> {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			jdbc.update("insert into ojs_schema (version, name, applied_at) values (99, 'later', current_timestamp)");
			again.withPropertyValues("ojs.store.initialize-schema=" + mode)
				.run((other) -> assertThat(other).getFailure()
					.rootCause()
					.hasMessageContaining("have the migrations [99]"));
		});
	}

	@Test
	void jobsUnderALimitAreLetThroughWhateverIsExcluded() {
		this.withoutFeatures.run((context) -> assertThat(context).hasNotFailed().hasBean("ojsRateLimitRelease"));
	}

	@Test
	void aRetentionOfZeroMeansNoFeedOfEvents() {
		this.both.run((context) -> {
			assertThat(context).hasSingleBean(EventFeed.class);
			assertThat(context.getBean(StoreOptions.class).feed()).isTrue();
		});
		this.both.withPropertyValues("ojs.store.event-retention=0s").run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(EventFeed.class);
			assertThat(context.getBean(StoreOptions.class).feed()).isFalse();
		});
	}

	@Test
	void tablesAreLookedAtWhenTheApplicationHasInitializedItsDatabase() {
		this.both.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("ojs.store.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/ojs/jdbc/migration/h2/V*.sql")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(StoreDatabase.class));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.store.relay-grace, 1s", "ojs.store.relay-batch-size, 0", "ojs.store.relay-poll-interval, 0s",
			"ojs.store.overdue-after, -1s", "ojs.store.reap-interval, 0s", "ojs.store.lease, 0s",
			"ojs.store.event-retention, -1s", "ojs.store.labels, #a", "ojs.store.labels, a=b" })
	void valuesThatCannotWorkStopTheApplication(String key, String value) {
		this.both.withPropertyValues(key + "=" + value)
			.run((context) -> assertThat(context).hasFailed().getFailure().rootCause().hasMessageContaining(key));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 9, 1001 })
	void aLargestWindowOutOfRangeStopsTheApplicationWithTheRange(int window) {
		this.both.withPropertyValues("ojs.tenancy.max-window=" + window)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContainingAll("ojs.tenancy.max-window", "" + window, "between 10 and 1000"));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.strict-queues, true", "ojs.queue-defaults.max-size, 5",
			"ojs.queues.[a.b].retention.completed, 1d", "ojs.queues.a.producers, web",
			"ojs.queues.a.dead-letters.ttl, 3d" })
	void whatNeedsAStoreStopsAnApplicationWithoutOne(String key, String value) {
		this.broker.withPropertyValues(key + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining(key)
				.hasMessageContaining("needs a job store"));
		this.both.withPropertyValues(key + "=" + value).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "false, true, false", "true, true, true", "true, false, false" })
	void tenantsHaveSharesUnlessTheyAreSwitchedOff(boolean tenancy, boolean shares, boolean expected) {
		this.both.withPropertyValues("ojs.tenancy.enabled=" + tenancy, "ojs.tenancy.fair-shares=" + shares)
			.run((context) -> assertThat(context.getBean(StoreOptions.class).shares().isEnabled()).isEqualTo(expected));
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 25 })
	void sharesGrowToTheLargestWindow(int window) {
		this.both.withPropertyValues("ojs.tenancy.enabled=true", "ojs.tenancy.max-window=" + window).run((context) -> {
			FairShares shares = context.getBean(StoreOptions.class).shares();
			FairShares.Demand dry = new FairShares.Demand(1, 0, 0, 1);
			shares.found("mail", dry, Instant.EPOCH);
			for (int i = 0; i < 10; i++) {
				shares.filled("mail", dry, 1, Instant.EPOCH);
			}
			assertThat(shares.share("mail")).isEqualTo(window);
		});
	}

	@Test
	void withoutTenantsNothingLooksAtTheirLimits() {
		this.both.run((context) -> assertThat(context).doesNotHaveBean(TenantGate.class));
		this.both.withPropertyValues("ojs.tenancy.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(TenantGate.class));
	}

	@Test
	void queuesSayHowLongJobsAreKept() {
		this.both.withConfiguration(AutoConfigurations.of(OjsQueuesAutoConfiguration.class))
			.withPropertyValues("ojs.queues.[brief].retention.completed=1h", "ojs.queues.[brief].dead-letters.ttl=2h")
			.run((context) -> {
				assertThat(context).hasSingleBean(Queues.class).hasSingleBean(Admission.class);
				QueueConfig config = context.getBean(Queues.class).get("brief").config();
				assertThat(config.retention()).isEqualTo(QueueRetention.DEFAULT.completed(Duration.ofHours(1)));
				assertThat(config.deadLetterTtl()).isEqualTo(Duration.ofHours(2));
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Two {

		@Bean
		DataSource one() {
			return new DriverManagerDataSource();
		}

		@Bean
		DataSource other() {
			return new DriverManagerDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		@Bean(defaultCandidate = false)
		@OjsDataSource
		DataSource forJobs() {
			return new DriverManagerDataSource("jdbc:h2:mem:forjobs;DB_CLOSE_DELAY=-1", "sa", "");
		}

	}

}
