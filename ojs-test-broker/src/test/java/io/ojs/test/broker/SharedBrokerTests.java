package io.ojs.test.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The broker that this host has, whichever that is.
 */
@Tag("broker")
class SharedBrokerTests {

	private final RabbitBroker broker = RabbitBroker.shared();

	@Test
	void isTheSameForAll() {
		assertThat(RabbitBroker.shared()).isSameAs(this.broker);
	}

	@Test
	void tellsItsVersion() {
		assertThat(this.broker.version()).matches("\\d+\\.\\d+\\.\\d+.*");
		assertThat(this.broker.isAtLeast(3, 0)).isTrue();
		assertThat(this.broker.isAtLeast(99, 0)).isFalse();
	}

	@Test
	void carriesMessagesOverItsUri() throws Exception {
		try (VirtualHost virtualHost = this.broker.newVirtualHost(); Connection connection = connect(virtualHost)) {
			Channel channel = connection.createChannel();
			channel.confirmSelect();
			channel.queueDeclare("greetings", true, false, false, Map.of());
			channel.basicPublish("", "greetings", MessageProperties.PERSISTENT_BASIC, bytes("hello"));
			channel.waitForConfirmsOrDie(5_000);
			GetResponse response = channel.basicGet("greetings", true);
			assertThat(response.getBody()).isEqualTo(bytes("hello"));
		}
	}

	@Test
	void virtualHostsDoNotSeeEachOther() throws Exception {
		try (VirtualHost one = this.broker.newVirtualHost();
				VirtualHost other = this.broker.newVirtualHost();
				Connection inOne = connect(one);
				Connection inOther = connect(other)) {
			inOne.createChannel().queueDeclare("mine", true, false, false, Map.of());
			assertThat(one.name()).isNotEqualTo(other.name());
			assertThat(inOne.createChannel().queueDeclarePassive("mine").getQueue()).isEqualTo("mine");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> inOther.createChannel().queueDeclarePassive("mine"))
				.havingCause()
				.withMessageContaining("404");
		}
	}

	@Test
	void closedVirtualHostIsGone() throws Exception {
		VirtualHost virtualHost = this.broker.newVirtualHost();
		connect(virtualHost).close();
		assertThat(this.broker.ctl("list_vhosts")).contains(virtualHost.name());
		virtualHost.close();
		assertThat(this.broker.ctl("list_vhosts")).doesNotContain(virtualHost.name());
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> connect(virtualHost));
		virtualHost.close();
	}

	@Test
	void failingCommandTellsWhatRabbitSays() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.broker.ctl("no_such_command"))
			.withMessageContaining("no_such_command");
	}

	private static Connection connect(VirtualHost virtualHost) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(virtualHost.uri());
		factory.setAutomaticRecoveryEnabled(false);
		return factory.newConnection();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
