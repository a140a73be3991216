package io.ojs.boot;

import io.ojs.amqp.internal.control.StoredJobs;
import io.ojs.amqp.internal.deadletter.DeadLetterCollector;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.boot.store.OjsStoreWorkerAutoConfiguration;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.LeaseKeeper;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a worker asks a job store.
 */
class StoreWorkerConditionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsStoreWorkerAutoConfiguration.class,
				OjsWorkerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1");

	@Test
	void withoutAStoreTheBrokerAloneSaysWhoRunsWhat() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean(Attempts.class)
				.doesNotHaveBean(StoredJobs.class)
				.doesNotHaveBean(DeadLetterCollector.class);
			assertThat(context.getBean(Supervision.class).attempts()).isNull();
		});
	}

	@Test
	void withAStoreItIsAsked() {
		withStore().run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(LeaseKeeper.class)
				.hasSingleBean(StoredJobs.class)
				.doesNotHaveBean(DeadLetterCollector.class);
			assertThat(context.getBean(Supervision.class).attempts()).isSameAs(context.getBean(Attempts.class));
		});
	}

	@Test
	void deadLettersAreCollectedWhereThereIsAPlaceForThem() {
		withStore().withConfiguration(AutoConfigurations.of(OjsDeadLettersAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DeadLetterCollector.class));
	}

	@Test
	void applicationThatWorksNothingNeedsNoneOfThem() {
		withStore().withConfiguration(AutoConfigurations.of(OjsDeadLettersAutoConfiguration.class))
			.withPropertyValues("ojs.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Attempts.class)
				.doesNotHaveBean(DeadLetterCollector.class));
	}

	private ApplicationContextRunner withStore() {
		return this.runner
			.withConfiguration(AutoConfigurations.of(OjsStoreAutoConfiguration.class, DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true");
	}

}
