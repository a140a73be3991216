package io.ojs.boot;

import java.time.Instant;
import java.util.Map;

import io.ojs.amqp.internal.control.StoredJobs;
import io.ojs.amqp.internal.deadletter.DeadLetterCollector;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.boot.store.OjsStoreWorkerAutoConfiguration;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.LeaseKeeper;
import io.ojs.store.internal.attempt.ProcessStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

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
		withStore().withBean(DeadLetterStore.class, () -> mock(DeadLetterStore.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DeadLetterCollector.class));
	}

	@Test
	void applicationThatWorksNothingNeedsNoneOfThem() {
		withStore().withBean(DeadLetterStore.class, () -> mock(DeadLetterStore.class))
			.withPropertyValues("ojs.worker.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Attempts.class)
				.doesNotHaveBean(DeadLetterCollector.class));
	}

	private ApplicationContextRunner withStore() {
		return this.runner.withBean(AttemptStore.class, () -> mock(AttemptStore.class))
			.withBean(JobStore.class, () -> mock(JobStore.class))
			.withBean(ProcessStore.class,
					() -> mock(ProcessStore.class, (call) -> new ProcessStore.Beat(Instant.now(), Map.of())));
	}

}
