package io.ojs.boot.internal;

import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.boot.workflow.OjsWorkflowsAutoConfiguration;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.WorkflowEngine;
import io.ojs.workflow.internal.WorkflowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there are workflows, and what is said where there are none.
 */
class WorkflowsConditionsTests {

	private final ApplicationContextRunner broker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsAmqpAutoConfiguration.class, OjsWorkflowsAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy");

	private final ApplicationContextRunner both = this.broker
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void withAStoreTheyAreThereAndGoOn() {
		this.both.run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(Workflows.class)
				.hasSingleBean(WorkflowEngine.class)
				.hasSingleBean(WorkflowStore.class);
			assertThat(context.getBean("ojsWorkflowsLifecycle", BackgroundLifecycle.class).isRunning()).isTrue();
		});
	}

	@Test
	void withoutAStoreThereAreNone() {
		this.broker.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(Workflows.class)
			.doesNotHaveBean(WorkflowEngine.class));
		this.both.withPropertyValues("ojs.workflows.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Workflows.class));
	}

	@Test
	void whoWantsThemWithoutAStoreIsToldWhatIsMissing() {
		this.broker.withBean(Shop.class).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new MissingBeanFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("job store");
			assertThat(analysis.getAction()).contains("DataSource", "ojs.store.enabled");
		});
	}

	@ParameterizedTest
	@CsvSource({ "ojs.workflows.poll-interval,0s", "ojs.workflows.max-depth,0", "ojs.workflows.max-depth,11",
			"ojs.workflows.max-jobs,0", "ojs.workflows.max-jobs,10001" })
	void refusesWhatCannotWork(String key, String value) {
		this.both.withPropertyValues(key + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining(key));
	}

	record Shop(Workflows workflows) {
	}

}
