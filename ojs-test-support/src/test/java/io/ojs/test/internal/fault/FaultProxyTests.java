package io.ojs.test.internal.fault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.MissedHeartbeatException;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/**
 * What clients of a real broker see of each fault.
 */
@Tag("broker")
class FaultProxyTests {

	private static final String QUEUE = "jobs";

	@SuppressWarnings("NullAway.Init")
	private VirtualHost virtualHost;

	@SuppressWarnings("NullAway.Init")
	private FaultProxy proxy;

	@SuppressWarnings("NullAway.Init")
	private Connection direct;

	@BeforeEach
	void open() throws Exception {
		this.virtualHost = RabbitBroker.shared().newVirtualHost();
		this.proxy = FaultProxy.to(RabbitBroker.shared());
		this.direct = connect(this.virtualHost.uri(), 60);
		this.direct.createChannel().queueDeclare(QUEUE, true, false, false, null);
	}

	@AfterEach
	void close() {
		this.proxy.close();
		this.virtualHost.close();
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("ojs-fault-proxy"));
	}

	@Test
	void passesEverythingOnUntilToldOtherwise() throws Exception {
		byte[] large = new byte[1_000_000];
		try (Connection connection = connect()) {
			Channel channel = confirming(connection);
			publish(channel, large);
			assertThat(channel.waitForConfirms(5_000)).isTrue();
			assertThat(channel.basicGet(QUEUE, true).getBody()).isEqualTo(large);
			assertThat(this.proxy.connections()).isEqualTo(1);
			assertThat(this.proxy.attempts()).singleElement().matches((attempt) -> !attempt.refused());
			assertThat(this.proxy.bytes(Direction.TO_BROKER)).isGreaterThan(large.length);
			assertThat(this.proxy.bytes(Direction.FROM_BROKER)).isGreaterThan(large.length);
			assertThat(this.proxy.bytes(Direction.BOTH)).isGreaterThan(2L * large.length);
		}
		await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void copiesWhatItPassesOnEachWay() throws Exception {
		Map<String, ByteArrayOutputStream> copies = new ConcurrentHashMap<>();
		this.proxy.copyTo((connection, direction) -> copies.computeIfAbsent(connection + " " + direction,
				(key) -> new ByteArrayOutputStream()));
		for (int i = 0; i < 2; i++) {
			try (Connection connection = connect()) {
				Channel channel = confirming(connection);
				publish(channel, ("letter " + i).getBytes(StandardCharsets.UTF_8));
				assertThat(channel.waitForConfirms(5_000)).isTrue();
				assertThat(channel.basicGet(QUEUE, true)).isNotNull();
			}
		}
		await().until(() -> this.proxy.connections() == 0);
		assertThat(copies).containsOnlyKeys("0 TO_BROKER", "0 FROM_BROKER", "1 TO_BROKER", "1 FROM_BROKER");
		copies.forEach((key, copy) -> assertThat(copy.toString(StandardCharsets.ISO_8859_1)).as(key)
			.containsOnlyOnce("letter " + key.charAt(0)));
		assertThat(copies.values().stream().mapToLong(ByteArrayOutputStream::size).sum())
			.isEqualTo(this.proxy.bytes(Direction.BOTH));
	}

	@Test
	void resetEndsConnectionsAndNotThePossibilityOfNewOnes() throws Exception {
		Connection first = connect();
		Connection second = connect();
		assertThat(this.proxy.reset()).isEqualTo(2);
		await().until(() -> !first.isOpen() && !second.isOpen());
		assertThat(first.getCloseReason().getCause()).hasMessageContaining("reset");
		assertThat(this.direct.isOpen()).isTrue();
		try (Connection third = connect()) {
			assertThat(third.isOpen()).isTrue();
		}
		assertThat(this.proxy.attempts()).hasSize(3).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
	}

	@Test
	void hangHoldsBothWaysBackAndLosesNothing() throws Exception {
		try (Connection connection = connect()) {
			Channel channel = confirming(connection);
			this.proxy.hang(Direction.BOTH);
			publish(channel, bytes("patient"));
			CompletableFuture<Connection> late = CompletableFuture.supplyAsync(this::connectUnchecked);
			await().until(() -> this.proxy.attempts().size() == 2);
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> channel.waitForConfirms(300));
			assertThat(get(this.direct)).isNull();
			assertThat(late).isNotDone();
			this.proxy.resume();
			assertThat(channel.waitForConfirms(5_000)).isTrue();
			assertThat(get(this.direct).getBody()).isEqualTo(bytes("patient"));
			assertThat(late).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	@Test
	void whatHangsFromTheBrokerOnlyArrivesThereAndIsNotConfirmed() throws Exception {
		try (Connection connection = connect()) {
			Channel channel = confirming(connection);
			this.proxy.hang(Direction.FROM_BROKER);
			publish(channel, bytes("heard"));
			await().until(() -> get(this.direct) != null);
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> channel.waitForConfirms(300));
			this.proxy.resume();
			assertThat(channel.waitForConfirms(5_000)).isTrue();
		}
	}

	@Test
	void whatHangsToTheBrokerOnlyLetsDeliveriesThrough() throws Exception {
		try (Connection connection = connect()) {
			CompletableFuture<byte[]> delivered = new CompletableFuture<>();
			connection.createChannel()
				.basicConsume(QUEUE, true, (tag, delivery) -> delivered.complete(delivery.getBody()), (tag) -> {
					// Not cancelled in this test.
				});
			this.proxy.hang(Direction.TO_BROKER);
			publish(this.direct.createChannel(), bytes("down"));
			assertThat(delivered).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(bytes("down"));
			CompletableFuture<Channel> asked = CompletableFuture.supplyAsync(() -> channel(connection));
			await().during(Duration.ofMillis(300)).until(() -> !asked.isDone());
			this.proxy.resume();
			assertThat(asked).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	@Test
	void heartbeatsFindOutThatAConnectionHangs() throws Exception {
		Connection connection = connect(this.proxy.uri(this.virtualHost), 1);
		this.proxy.hang(Direction.BOTH);
		await().atMost(Duration.ofSeconds(10)).until(() -> !connection.isOpen());
		assertThat(connection.getCloseReason().getCause()).isInstanceOf(MissedHeartbeatException.class);
	}

	@Test
	void refusesNewConnectionsAndLeavesTheOthers() throws Exception {
		try (Connection connection = connect()) {
			this.proxy.refuse();
			assertThatIOException().isThrownBy(this::connect);
			assertThat(connection.isOpen()).isTrue();
			this.proxy.accept();
			connect().close();
			assertThat(this.proxy.attempts()).extracting(ConnectionAttempt::refused)
				.containsExactly(false, true, false);
		}
	}

	@Test
	void connectionsAreResetWhileTheBrokerIsDown() throws Exception {
		InetSocketAddress nobody;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			nobody = (InetSocketAddress) socket.getLocalSocketAddress();
		}
		try (FaultProxy toNobody = FaultProxy.to(nobody)) {
			assertThatIOException().isThrownBy(() -> connect(toNobody.uri(this.virtualHost), 60));
			assertThat(toNobody.attempts()).hasSize(1);
			await().until(() -> toNobody.connections() == 0);
		}
	}

	@Test
	void closeEndsWhatHangs() throws Exception {
		Connection connection = connect(this.proxy.uri(RabbitBroker.shared()), 60);
		Channel channel = connection.createChannel();
		this.proxy.hang(Direction.BOTH);
		publish(channel, bytes("lost"));
		this.proxy.close();
		await().until(() -> !connection.isOpen());
		assertThatExceptionOfType(ShutdownSignalException.class).isThrownBy(connection::createChannel);
		assertThatIOException().isThrownBy(this::connect);
		assertThat(this.proxy.connections()).isZero();
	}

	private Connection connect() throws Exception {
		return connect(this.proxy.uri(this.virtualHost), 60);
	}

	private Connection connectUnchecked() {
		try {
			return connect();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Connection connect(String uri, int heartbeatSeconds) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(uri);
		factory.setAutomaticRecoveryEnabled(false);
		factory.setRequestedHeartbeat(heartbeatSeconds);
		return factory.newConnection();
	}

	private static Channel channel(Connection connection) {
		try {
			return connection.createChannel();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Channel confirming(Connection connection) throws IOException {
		Channel channel = connection.createChannel();
		channel.confirmSelect();
		return channel;
	}

	private static void publish(Channel channel, byte[] body) throws IOException {
		channel.basicPublish("", QUEUE, MessageProperties.PERSISTENT_BASIC, body);
	}

	private static GetResponse get(Connection connection) throws Exception {
		try (Channel channel = connection.createChannel()) {
			return channel.basicGet(QUEUE, true);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
