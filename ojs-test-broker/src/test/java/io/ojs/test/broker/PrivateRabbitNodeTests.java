package io.ojs.test.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Crashing, stopping and freezing a broker.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("broker")
class PrivateRabbitNodeTests {

	@SuppressWarnings("NullAway.Init")
	private static PrivateRabbitNode node;

	@BeforeAll
	static void create() {
		node = PrivateRabbitNode.create("heartbeat = 17");
	}

	@AfterAll
	static void close() {
		node.close();
		assertThat(node.isRunning()).isFalse();
		assertThat(node.folder()).doesNotExist();
		assertThatIllegalStateException().isThrownBy(node::start).withMessageContaining("closed");
	}

	@Test
	void takesFurtherConfiguration() throws Exception {
		try (VirtualHost virtualHost = node.newVirtualHost(); Connection connection = connect(virtualHost)) {
			assertThat(connection.getHeartbeat()).isEqualTo(17);
		}
	}

	@Test
	void confirmedMessageSurvivesACrash() throws Exception {
		VirtualHost virtualHost = node.newVirtualHost();
		String uri = node.uri();
		Connection connection = connect(virtualHost);
		Channel channel = connection.createChannel();
		channel.confirmSelect();
		channel.queueDeclare("jobs", true, false, false, Map.of("x-queue-type", "quorum"));
		channel.basicPublish("", "jobs", MessageProperties.PERSISTENT_BASIC, bytes("important"));
		channel.waitForConfirmsOrDie(5_000);
		node.awaitOnDisk(virtualHost, "jobs");

		node.kill();
		assertThat(node.isRunning()).isFalse();
		await().until(() -> !connection.isOpen());
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> connect(virtualHost));

		node.start();
		assertThat(node.uri()).isEqualTo(uri);
		try (Connection again = connect(virtualHost)) {
			// The queue elects its leader after the broker is up.
			GetResponse response = await().atMost(Duration.ofSeconds(20))
				.ignoreExceptions()
				.until(() -> again.createChannel().basicGet("jobs", true), (got) -> got != null);
			assertThat(response.getBody()).isEqualTo(bytes("important"));
		}
	}

	@Test
	void frozenBrokerAnswersWhenItGoesOn() throws Exception {
		try (VirtualHost virtualHost = node.newVirtualHost(); Connection connection = connect(virtualHost)) {
			Channel channel = connection.createChannel();
			channel.confirmSelect();
			String queue = channel.queueDeclare().getQueue();
			node.pause();
			try {
				channel.basicPublish("", queue, MessageProperties.BASIC, bytes("patient"));
				assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> channel.waitForConfirms(300));
				assertThat(node.isRunning()).isTrue();
				assertThat(connection.isOpen()).isTrue();
			}
			finally {
				node.resume();
			}
			assertThat(channel.waitForConfirms(5_000)).isTrue();
		}
	}

	/**
	 * Last, so that nobody has to start it again.
	 */
	@Test
	@Order(Integer.MAX_VALUE)
	void stopsInOrderEvenWhenFrozen() throws Exception {
		node.pause();
		node.stop();
		assertThat(node.isRunning()).isFalse();
		assertThatIllegalStateException().isThrownBy(node::pause).withMessageContaining("start() it first");
		node.stop();
		node.kill();
	}

	@Test
	void refusesToStartTwice() {
		assertThatIllegalStateException().isThrownBy(node::start).withMessageContaining("running already");
	}

	@Test
	void waitingForAQueueThatIsNotThereFails() {
		try (VirtualHost virtualHost = node.newVirtualHost()) {
			assertThatIllegalStateException()
				.isThrownBy(() -> node.awaitOnDisk(virtualHost, "absent", Duration.ofMillis(100)))
				.withMessageContainingAll("'absent'", "is it a quorum queue?");
		}
	}

	private static Connection connect(VirtualHost virtualHost) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(virtualHost.uri());
		factory.setAutomaticRecoveryEnabled(false);
		factory.setRequestedHeartbeat(60);
		return factory.newConnection();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
