package io.ojs.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.Declaration;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionEvents;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
import io.ojs.amqp.internal.control.ControlMessages;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.listen.WorkerOptions;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.amqp.internal.publish.PatientPublisher;
import io.ojs.amqp.internal.run.Deadlines;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.amqp.internal.run.WorkerControl;
import io.ojs.amqp.internal.topology.BindingNaming;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.boot.actuate.OjsTracingAutoConfiguration;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.JobControl;
import io.ojs.client.internal.JobFactory;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.trace.JobTracing;
import io.ojs.middleware.ExecutionChain;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

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

	/** Everything that the library contributes and a user may want to replace. */
	private static final List<Class<?>> REPLACEABLE = List.of(JobCodec.class, JsonValues.class, JobHandlers.class,
			JobEvents.class, OjsNaming.class, Topology.class, ConfirmingPublisher.class, TopologyDeclarer.class,
			JobMessages.class, RetryPolicies.class, JobFactory.class, OjsOperations.class, JobRuntime.class,
			WorkerOptions.class, JobWorker.class, JobTracing.class);

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
			REPLACEABLE.forEach((type) -> assertThat(context).doesNotHaveBean(type));
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
	void everyBeanCanBeReplaced() {
		this.runner.withBean(Tracer.class, () -> mock(Tracer.class))
			.withBean(Propagator.class, () -> mock(Propagator.class))
			.withUserConfiguration(Replacements.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				REPLACEABLE.forEach((type) -> assertThat(context.getBeanNamesForType(type)).as(type.getName())
					.singleElement()
					.asString()
					.startsWith("my"));
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

	@Configuration(proxyBeanMethods = false)
	static class Replacements {

		@Bean
		JobCodec myCodec() {
			return new JsonJobCodec();
		}

		@Bean
		JsonValues myValues() {
			return new JsonValues(JsonMapper.shared());
		}

		@Bean
		JobHandlers myHandlers() {
			return new JobHandlers(List.of());
		}

		@Bean
		JobEvents myEvents() {
			return new JobEvents(List.of());
		}

		@Bean
		OjsNaming myNaming() {
			return new BindingNaming("mine.");
		}

		@Bean
		Topology myTopology(OjsNaming naming) {
			return new Topology(naming, QueueSettings::defaults);
		}

		@Bean
		ConnectionEvents myConnectionEvents() {
			return new ConnectionEvents(List.of());
		}

		@Bean
		BrokerConnections myConnections(ConnectionFactory factory, ConnectionEvents events) {
			return new BrokerConnections(factory, ReconnectBackoff.DEFAULT, events, Clock.systemUTC());
		}

		@Bean
		ConfirmingPublisher myPublisher(ConnectionFactory factory, BrokerConnections connections) {
			return new ConfirmingPublisher(new RabbitTemplate(factory), connections.publishing());
		}

		@Bean
		TopologyDeclarer myDeclarer(Topology topology, BrokerConnections connections) {
			return new TopologyDeclarer(topology, mock(AmqpAdmin.class), connections.consuming(), Declaration.NONE);
		}

		@Bean
		JobMessages myMessages(JobCodec codec) {
			return new JobMessages(codec);
		}

		@Bean
		RetryPolicies myRetryPolicies(JobHandlers handlers) {
			return new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers);
		}

		@Bean
		JobFactory myFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec) {
			return new JobFactory(handlers, retryPolicies, values, codec, Clock.systemUTC(), 1024);
		}

		@Bean
		OjsOperations myOperations() {
			return mock(OjsOperations.class);
		}

		@Bean
		JobTracing myTracing() {
			return JobTracing.NONE;
		}

		@Bean
		JobRuntime myRuntime(JobMessages messages, JobHandlers handlers, RetryPolicies retryPolicies,
				Supervision supervision, JobEvents events, JobTracing tracing) {
			return new JobRuntime(messages, handlers, retryPolicies, supervision, events, tracing, ExecutionChain.EMPTY,
					Clock.systemUTC());
		}

		@Bean
		Supervision mySupervision(RunningJobs running, Timeouts timeouts, Deadlines deadlines, WorkerControl control) {
			return new Supervision(running, timeouts, deadlines, control);
		}

		@Bean
		RunningJobs myRunningJobs() {
			return new RunningJobs();
		}

		@Bean
		Timeouts myTimeouts() {
			return new Timeouts((queue) -> Timeouts.DEFAULT);
		}

		@Bean
		Deadlines myDeadlines() {
			return new Deadlines();
		}

		@Bean
		WorkerControl myWorkerControl() {
			return WorkerControl.NONE;
		}

		@Bean
		PatientPublisher myPatientPublisher(ConfirmingPublisher publisher) {
			return new PatientPublisher(publisher, Duration.ofSeconds(1));
		}

		@Bean
		ControlMessages myControlMessages(JobCodec codec) {
			return new ControlMessages(codec);
		}

		@Bean
		JobControl myJobControl() {
			return mock(JobControl.class);
		}

		@Bean
		WorkerOptions myOptions() {
			return new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(1), DeadLettering.PUBLISH, List.of(),
					AmqpMetrics.NONE);
		}

		@Bean
		JobWorker myWorker(BrokerConnections connections, TopologyDeclarer declarer, ConfirmingPublisher publisher,
				JobRuntime runtime, WorkerOptions options) {
			return new JobWorker(connections.consuming(), declarer, publisher, runtime, options);
		}

	}

}
