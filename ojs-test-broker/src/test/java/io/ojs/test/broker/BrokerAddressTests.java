package io.ojs.test.broker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BrokerAddressTests {

	@Test
	void readsAllParts() {
		assertThat(BrokerAddress.parse("amqp://me:p%40ss+word@broker.example:1234/my%2Fhost"))
			.isEqualTo(new BrokerAddress("broker.example", 1234, "me", "p@ss+word", "my/host"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "amqp://localhost", "amqp://localhost/" })
	void takesDefaultsOfRabbit(String uri) {
		assertThat(BrokerAddress.parse(uri)).isEqualTo(new BrokerAddress("localhost", 5672, "guest", "guest", "/"));
	}

	@Test
	void writesWhatItReads() {
		BrokerAddress address = new BrokerAddress("localhost", 1, "a:b", "c d+e/f@g", "/");
		assertThat(BrokerAddress.parse(address.uri())).isEqualTo(address);
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://me:secret@localhost", "amqps://me:secret@localhost", "me:secret@localhost",
			"amqp://me:secret@", "amqp://me:secret@local host" })
	void refusesWhatIsNoAmqpUriAndKeepsThePassword(String uri) {
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> BrokerAddress.parse(uri))
			.withMessageContainingAll("ojs.test.rabbitmq.uri=", "amqp://user:password@host:5672/vhost")
			.satisfies((ex) -> assertThat(ex.toString()).doesNotContain("secret"));
	}

}
