package io.ojs.amqp.connect;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.ShutdownSignalException;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who waits for what while the broker takes no messages.
 */
class BrokerConnectionTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final AtomicReference<BlockedListener> broker = new AtomicReference<>();

	private final AtomicBoolean open = new AtomicBoolean();

	private final com.rabbitmq.client.Connection delegate = proxy(com.rabbitmq.client.Connection.class,
			(name, arguments) -> name.equals("getCloseReason")
					? new ShutdownSignalException(true, false, null, null, "the network is gone", null) : null);

	@Test
	void whoeverDoesNotWaitIsToldWhenTheAlarmIsOverAndNotBefore() throws Exception {
		try (BrokerConnection connection = new BrokerConnection("publishing", connectionFactory(),
				new ReconnectBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0), new ConnectionEvents(List.of()),
				Clock.systemUTC())) {
			assertThat(connection.open(PATIENCE)).isTrue();
			this.broker.get().handleBlocked("low on memory");
			CompletableFuture<Void> whenUp = connection.whenUp(PATIENCE);
			assertThat(whenUp).isNotDone();
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> connection.whenUp(Duration.ofMillis(50)).get(20, TimeUnit.SECONDS))
				.withCauseInstanceOf(AmqpConnectException.class)
				.withMessageContaining("low on memory");
			this.broker.get().handleUnblocked();
			whenUp.get(20, TimeUnit.SECONDS);
			assertThat(connection.whenUp(PATIENCE)).isCompleted();
		}
	}

	/** A factory that is reset closes the connection before it tells its listeners. */
	@Test
	void opensAConnectionThatItsFactoryHasReset() throws Exception {
		try (BrokerConnection connection = new BrokerConnection("publishing", connectionFactory(),
				new ReconnectBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0), new ConnectionEvents(List.of()),
				Clock.systemUTC())) {
			assertThat(connection.open(PATIENCE)).isTrue();
			this.open.set(false);
			connection.await(PATIENCE);
			assertThat(connection.isUp()).isTrue();
			assertThat(connection.state().lastFailure()).contains("the network is gone");
		}
	}

	private ConnectionFactory connectionFactory() {
		Connection connection = proxy(Connection.class, (name, arguments) -> {
			if (name.equals("addBlockedListener")) {
				this.broker.set((BlockedListener) arguments[0]);
			}
			if (name.equals("getDelegate") && !this.open.get()) {
				throw new IllegalStateException("No target connection");
			}
			return name.equals("getDelegate") ? this.delegate : name.equals("isOpen") ? this.open.get() : null;
		});
		return proxy(ConnectionFactory.class, (name, arguments) -> {
			if (name.equals("createConnection")) {
				this.open.set(true);
				return connection;
			}
			return name.startsWith("remove") ? true : null;
		});
	}

	private static <T> T proxy(Class<T> type, Answers answers) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> answers.of(method.getName(), arguments)));
	}

	@FunctionalInterface
	private interface Answers {

		Object of(String name, Object[] arguments);

	}

}
