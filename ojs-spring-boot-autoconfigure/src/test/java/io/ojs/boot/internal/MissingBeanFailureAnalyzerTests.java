package io.ojs.boot.internal;

import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.handler.JobUpcaster;
import io.ojs.queue.Queues;
import io.ojs.store.internal.JobStore;
import io.ojs.tenant.TenantResolver;
import io.ojs.webhook.Webhooks;
import io.ojs.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class MissingBeanFailureAnalyzerTests {

	@ParameterizedTest
	@ValueSource(classes = { Workflows.class, CronJobs.class, Queues.class, DeadLetters.class, Webhooks.class,
			EventFeed.class })
	void whatIsOfTheJobStoreNeedsADataSource(Class<?> type) {
		FailureAnalysis analysis = analyze(type);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains(type.getSimpleName(), "job store");
		assertThat(analysis.getAction()).contains("DataSource", "ojs.store.enabled");
	}

	@ParameterizedTest
	@ValueSource(
			classes = { TenantResolver.class, EncryptionKeys.class, JobUpcaster.class, JobStore.class, String.class })
	void whatApplicationsImplementAndWhatIsInternalIsNoneOfItsBusiness(Class<?> type) {
		assertThat(analyze(type)).isNull();
	}

	@Test
	void anApplicationWithoutAConnectionFactoryIsToldTheDependency() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(io.ojs.boot.OjsAutoConfiguration.class,
					io.ojs.boot.OjsAmqpAutoConfiguration.class))
			.withBean(Shop.class)
			.run((context) -> {
				assertThat(context).hasFailed();
				FailureAnalysis analysis = new MissingBeanFailureAnalyzer().analyze(context.getStartupFailure());
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription()).contains("OjsOperations", "ConnectionFactory", "ojs.enabled");
				assertThat(analysis.getAction()).contains("spring-boot-starter-amqp", "spring-boot-starter-rabbitmq");
			});
	}

	@Test
	void twoBeansOfATypeAreNotNone() {
		assertThat(new MissingBeanFailureAnalyzer()
			.analyze(new NoUniqueBeanDefinitionException(OjsOperations.class, "one", "other"))).isNull();
	}

	private static @Nullable FailureAnalysis analyze(Class<?> type) {
		return new MissingBeanFailureAnalyzer().analyze(new NoSuchBeanDefinitionException(type));
	}

	record Shop(OjsOperations ojs) {
	}

}
