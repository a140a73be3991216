package io.ojs.test.broker;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
@Tag("broker")
class LocalBrokerTests {

	@Test
	void setsConnectionOfAnApplication() {
		RabbitBroker broker = RabbitBroker.shared();
		try (ConfigurableApplicationContext context = run("--spring.rabbitmq.username=meant-for-another-broker")) {
			VirtualHost virtualHost = context.getBean(VirtualHost.class);
			ConfigurableEnvironment environment = context.getEnvironment();
			assertThat(environment.getProperty("spring.rabbitmq.host")).isEqualTo(broker.host());
			assertThat(environment.getProperty("spring.rabbitmq.port", Integer.class)).isEqualTo(broker.port());
			assertThat(environment.getProperty("spring.rabbitmq.username")).isEqualTo(broker.username());
			assertThat(environment.getProperty("spring.rabbitmq.password")).isEqualTo(broker.password());
			assertThat(environment.getProperty("spring.rabbitmq.virtual-host")).isEqualTo(virtualHost.name());
			ConnectionFactory connections = context.getBean(ConnectionFactory.class);
			assertThat(connections.createConnection().isOpen()).isTrue();
			assertThat(connections.getVirtualHost()).isEqualTo(virtualHost.name());
		}
	}

	@Test
	void givesEachContextAVirtualHostForItsLifetime(CapturedOutput output) {
		String first;
		String second;
		try (ConfigurableApplicationContext one = run(); ConfigurableApplicationContext other = run()) {
			first = one.getBean(VirtualHost.class).name();
			second = other.getBean(VirtualHost.class).name();
			assertThat(first).isNotEqualTo(second);
			assertThat(RabbitBroker.shared().ctl("list_vhosts")).contains(first, second);
			one.getBean(ConnectionFactory.class).createConnection();
		}
		assertThat(RabbitBroker.shared().ctl("list_vhosts")).doesNotContain(first, second);
		// The virtual host went after the connections: else the broker would have closed
		// them.
		assertThat(output).doesNotContain("CONNECTION_FORCED");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.rabbitmq.host=rabbit.example", "spring.rabbitmq.port=1",
			"spring.rabbitmq.addresses=rabbit.example:1,rabbit.example:2",
			"spring.rabbitmq.addresses[0]=rabbit.example:1" })
	void givesWayToAConfiguredBroker(String configured, CapturedOutput output) {
		try (ConfigurableApplicationContext context = run("--" + configured)) {
			assertThat(context.getBeansOfType(VirtualHost.class)).isEmpty();
			assertThat(context.getEnvironment().getPropertySources().contains("ojsLocalBroker")).isFalse();
			assertThat(context.getEnvironment().getProperty("spring.rabbitmq.password")).isNull();
		}
		assertThat(output).contains("is configured, so no local broker is used");
	}

	@Test
	void givesWayToABrokerConfiguredInTheEnvironment(CapturedOutput output) {
		ApplicationContextInitializer<ConfigurableApplicationContext> environment = (context) -> context
			.getEnvironment()
			.getPropertySources()
			.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment",
					Map.of("SPRING_RABBITMQ_HOST", "rabbit.example")));
		try (ConfigurableApplicationContext context = run(environment)) {
			assertThat(context.getBeansOfType(VirtualHost.class)).isEmpty();
		}
		assertThat(output).contains("spring.rabbitmq.host is configured, so no local broker is used");
	}

	private static ConfigurableApplicationContext run(String... args) {
		return run((context) -> {
			// As it is.
		}, args);
	}

	private static ConfigurableApplicationContext run(
			ApplicationContextInitializer<ConfigurableApplicationContext> initializer, String... args) {
		return SpringApplication.from((arguments) -> {
			SpringApplication application = new SpringApplication(App.class);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.addInitializers(initializer);
			application.run(arguments);
		}).with(LocalBroker.class).run(args).getApplicationContext();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class App {

	}

}
