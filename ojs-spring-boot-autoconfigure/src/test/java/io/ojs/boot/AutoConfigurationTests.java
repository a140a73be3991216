package io.ojs.boot;

import java.util.function.Consumer;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.amqp.internal.topology.GuideNaming;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.boot.actuate.OjsTracingAutoConfiguration;
import io.ojs.client.OjsOperations;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.trace.JobTracing;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Which beans there are, and when. No broker: nothing here listens on port 1.
 */
class AutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class, OjsTracingAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1");

	@Test
	void applicationWithAConnectionFactoryHasATemplateAndAWorkerBesideBootsOwnBeans() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(OjsTemplate.class).hasSingleBean(JobWorker.class);
			assertThat(context.getBean(JobWorker.class).isRunning()).isTrue();
			assertThat(context).hasSingleBean(RabbitTemplate.class).hasSingleBean(AmqpAdmin.class);
			assertThat(context.getBean(RabbitTemplate.class).isUsePublisherConnection()).isFalse();
			CachingConnectionFactory factory = context.getBean(CachingConnectionFactory.class);
			assertThat(factory.isPublisherConfirms()).isFalse();
			assertThat(factory.isSimplePublisherConfirms()).isFalse();
		});
	}

	@Test
	void switchTurnsEverythingOff() {
		this.runner.withPropertyValues("ojs.enabled=false", "ojs.nonsense=1").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanDefinitionNames()).noneMatch((name) -> name.startsWith("ojs"));
		});
	}

	@Test
	void applicationThatOnlyEnqueuesHasNoWorker() {
		this.runner.withPropertyValues("ojs.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(OjsTemplate.class).doesNotHaveBean(JobWorker.class));
	}

	@Test
	void withoutAConnectionFactoryThereIsNothingThatNeedsOne() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
					OjsWorkerAutoConfiguration.class, OjsTracingAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JobHandlers.class)
				.doesNotHaveBean(OjsTemplate.class)
				.doesNotHaveBean(JobWorker.class));
	}

	@Test
	void withoutSpringRabbitTheApplicationStartsAllTheSame() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
					OjsWorkerAutoConfiguration.class, OjsTracingAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "io.ojs.amqp"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("ojsTemplate"));
	}

	@Test
	void spansAreMadeOnlyWithATracer() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean(JobTracing.class));
		this.runner.withBean(Tracer.class, () -> mock(Tracer.class))
			.withBean(Propagator.class, () -> mock(Propagator.class))
			.run((context) -> assertThat(context).hasSingleBean(JobTracing.class));
		this.runner.withBean(Tracer.class, () -> mock(Tracer.class))
			.withBean(Propagator.class, () -> mock(Propagator.class))
			.withClassLoader(new FilteredClassLoader("io.micrometer.tracing"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobTracing.class));
	}

	@Test
	void applicationMayHaveNamesAndOperationsOfItsOwn() {
		this.runner.withBean(OjsNaming.class, () -> new GuideNaming("mine."))
			.withBean("mine", OjsOperations.class, () -> mock(OjsOperations.class))
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(OjsOperations.class).hasBean("mine");
				assertThat(context.getBean(Topology.class).naming()).isSameAs(context.getBean(OjsNaming.class));
			});
	}

	@Test
	void jobsMayHaveAConnectionFactoryOfTheirOwn() {
		this.runner.withUserConfiguration(TwoBrokers.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> context.getBean(OjsTemplate.class).enqueue("email.send"));
			assertThat(context.getBean(TwoBrokers.class).asked).isEqualTo(1);
		});
	}

	@Test
	void severalConnectionFactoriesOfWhichNoneIsMarkedAreAnError() {
		this.runner.withUserConfiguration(Undecided.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ConnectionFactory")
				.hasMessageContaining("one")
				.hasMessageContaining("other"));
	}

	@Test
	void containersAreCustomized() {
		Consumer<String> noted = mock();
		this.runner.withBean(Handlers.class)
			.withBean(JobListenerContainerCustomizer.class,
					() -> (queue, container) -> noted.accept(queue + " " + container.getQueueNames()[0]))
			.run((context) -> verify(noted).accept("email ojs.queue.email"));
	}

	static class Handlers {

		@OjsJobHandler(value = "email.send", queue = "email")
		void send() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBrokers {

		private int asked;

		@Bean
		@OjsConnectionFactory
		ConnectionFactory jobsConnectionFactory() {
			CachingConnectionFactory factory = new CachingConnectionFactory("localhost", 1) {

				@Override
				public ConnectionFactory getPublisherConnectionFactory() {
					TwoBrokers.this.asked = 1;
					return super.getPublisherConnectionFactory();
				}

			};
			return factory;
		}

		@Bean
		@Primary
		ConnectionFactory applicationConnectionFactory() {
			return mock(ConnectionFactory.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Undecided {

		@Bean
		ConnectionFactory one() {
			return new CachingConnectionFactory("localhost", 1);
		}

		@Bean
		ConnectionFactory other() {
			return new CachingConnectionFactory("localhost", 1);
		}

	}

}
