package io.ojs.amqp.internal.connect;

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

	private final Connection connection = proxy(Connection.class, (name, arguments) -> {
		if (name.equals("addBlockedListener")) {
			this.broker.set((BlockedListener) arguments[0]);
		}
		if (name.equals("getDelegate") && !this.open.get()) {
			throw new IllegalStateException("No target connection");
		}
		return name.equals("getDelegate") ? this.delegate : name.equals("isOpen") ? this.open.get() : null;
	});

	private com.rabbitmq.client.Connection delegate = lostBecause("the network is gone");

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

	/** A factory puts another connection to the broker behind the same object. */
	@Test
	void knowsWhyAConnectionWasLostThatTheApplicationHasOpenedAgain() throws Exception {
		try (BrokerConnection watched = new BrokerConnection("publishing", connectionFactory(),
				new ReconnectBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0), new ConnectionEvents(List.of()),
				Clock.systemUTC())) {
			assertThat(watched.open(PATIENCE)).isTrue();
			this.delegate = lostBecause("the broker stops");
			watched.onCreate(this.connection);
			this.open.set(false);
			watched.await(PATIENCE);
			assertThat(watched.state().lastFailure()).contains("the broker stops");
		}
	}

	private static com.rabbitmq.client.Connection lostBecause(String reason) {
		return proxy(com.rabbitmq.client.Connection.class, (name, arguments) -> name.equals("getCloseReason")
				? new ShutdownSignalException(true, false, null, null, reason, null) : null);
	}

	private ConnectionFactory connectionFactory() {
		return proxy(ConnectionFactory.class, (name, arguments) -> {
			if (name.equals("createConnection")) {
				this.open.set(true);
				return this.connection;
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
