package io.ojs.test.broker;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.Queue;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@Import(LocalBroker.class)
@Tag("broker")
class LocalBrokerSpringBootTests {

	@Test
	void givesATestABroker(@Autowired AmqpAdmin admin, @Autowired AmqpTemplate template,
			@Autowired VirtualHost virtualHost) {
		admin.declareQueue(new Queue("greetings"));
		template.convertAndSend("greetings", "hello");
		assertThat(template.receiveAndConvert("greetings", 5_000)).isEqualTo("hello");
		assertThat(virtualHost.uri()).endsWith("/" + virtualHost.name());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class App {

	}

}
