package io.ojs.boot;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.amqp.internal.publish.OjsTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs on a broker of their own, as the documentation of {@link OjsConnectionFactory}
 * recommends it: what is marked is for jobs and for nothing else.
 */
class SecondBrokerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy")
		.withUserConfiguration(ForJobs.class);

	@Test
	void bootsOwnConnectionFactoryStaysTheApplications() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(OjsTemplate.class).hasSingleBean(JobWorker.class);
			assertThat(context).hasSingleBean(RabbitTemplate.class).hasSingleBean(AmqpAdmin.class);
			ConnectionFactory ofApplication = context.getBean(RabbitTemplate.class).getConnectionFactory();
			assertThat(ofApplication.getPort()).isEqualTo(1);
			assertThat(context.getBean("forJobs", ConnectionFactory.class).getPort()).isEqualTo(2);
		});
	}

	@Test
	void applicationMayHaveNoOther() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
					OjsWorkerAutoConfiguration.class))
			.withPropertyValues("ojs.topology.declaration=lazy")
			.withUserConfiguration(ForJobs.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OjsTemplate.class)
				.hasSingleBean(JobWorker.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class ForJobs {

		@Bean(defaultCandidate = false)
		@OjsConnectionFactory
		ConnectionFactory forJobs() {
			return new CachingConnectionFactory("localhost", 2);
		}

	}

}
