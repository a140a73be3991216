package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ojs.amqp.internal.observe.MicrometerDeadLetterMetrics;
import io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.internal.DeadLetterCounts;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreOptions;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.StoreTransactions;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * When there are dead letters in a store.
 */
class DeadLettersConditionsTests {

	private static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1),
			Duration.ofDays(1));

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsDeadLettersAutoConfiguration.class));

	private final ApplicationContextRunner withStore = this.runner
		.withBean(StoreTransactions.class, () -> mock(StoreTransactions.class))
		.withBean(StoreDatabase.class,
				() -> new StoreDatabase(mock(DataSource.class), mock(PlatformTransactionManager.class),
						new StoreOptions(new JsonJobCodec(), Clock.systemUTC(), "ojs://test", (queue) -> RETENTION,
								(queue) -> queue)));

	@Test
	void withoutAStoreThereAreNone() {
		this.runner.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(DeadLetters.class)
			.doesNotHaveBean(DeadLetterStore.class));
	}

	@Test
	void withADatabaseTheyAreKeptThere() {
		this.withStore.run((context) -> assertThat(context).hasSingleBean(JdbcDeadLetterStore.class)
			.hasSingleBean(DeadLetters.class)
			.doesNotHaveBean(MicrometerDeadLetterMetrics.class));
	}

	@Test
	void withADatabaseTheyAreCountedToo() {
		this.withStore.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(MicrometerDeadLetterMetrics.class));
	}

	@Test
	void withoutJdbcThereAreNone() {
		this.withStore.withClassLoader(new FilteredClassLoader("io.ojs.jdbc")).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(DeadLetters.class);
			assertThat(ConditionEvaluationReport.get(context.getSourceApplicationContext().getBeanFactory())
				.getConditionAndOutcomesBySource()
				.get(OjsDeadLettersAutoConfiguration.class.getName()))
				.extracting((each) -> each.getOutcome().getMessage())
				.contains("@ConditionalOnClass did not find required class '" + StoreDatabase.class.getName() + "'");
		});
	}

	@Test
	void withoutMicrometerTheyAreNotCounted() {
		this.withStore.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DeadLetters.class));
	}

	@Test
	void areSwitchedOffWithAllTheRest() {
		this.withStore.withPropertyValues("ojs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DeadLetters.class));
	}

	@Test
	void areCountedForAScrapeWithoutAskingTheDatabase() {
		DeadLetterStore store = mock(DeadLetterStore.class);
		MeterRegistry registry = new SimpleMeterRegistry();
		MicrometerDeadLetterMetrics metrics = new MicrometerDeadLetterMetrics(registry, new DeadLetterCounts(store));
		given(store.countByQueue()).willReturn(Map.of("mail", 3L, "billing", 1L));
		metrics.refresh();
		given(store.countByQueue()).willThrow(new IllegalStateException("asked by a scrape"));
		assertThat(total(registry, "mail")).isEqualTo(3);
		assertThat(total(registry, "billing")).isEqualTo(1);
		willReturn(Map.of("mail", 5L)).given(store).countByQueue();
		metrics.refresh();
		assertThat(total(registry, "mail")).isEqualTo(5);
		assertThat(total(registry, "billing")).isZero();
		assertThat(registry.find("ojs.dead_letter.total").gauges()).hasSize(2);
	}

	private static double total(MeterRegistry registry, String queue) {
		return registry.get("ojs.dead_letter.total").tag("queue", queue).gauge().value();
	}

}
