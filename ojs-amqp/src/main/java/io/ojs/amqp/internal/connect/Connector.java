package io.ojs.amqp.internal.connect;

import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.ConnectionEvent;
import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Opens a connection, with as many attempts as it takes.
 */
final class Connector {

	private static final Logger logger = SafeLogger.of(Connector.class);

	/** The broker has no such virtual host, or the user may not access it. */
	private static final int NOT_ALLOWED = 530;

	private final String name;

	private final ConnectionFactory connectionFactory;

	private final Pacing pacing;

	private final ConnectionEvents events;

	private final List<Runnable> preparations = new CopyOnWriteArrayList<>();

	Connector(String name, ConnectionFactory connectionFactory, Pacing pacing, ConnectionEvents events) {
		this.name = name;
		this.connectionFactory = connectionFactory;
		this.pacing = pacing;
		this.events = events;
	}

	void prepare(Runnable preparation) {
		this.preparations.add(preparation);
	}

	/** Opens the connection for the first time, the first attempt without a pause. */
	void openFirst(Outcome outcome) {
		if (!attempt(0, outcome)) {
			repeat(System.nanoTime(), outcome);
		}
	}

	/** Opens the connection again after a loss. */
	void openAgain(String reason, Outcome outcome) {
		logger.warn("The {} connection to the broker is lost: {}", this.name, reason);
		this.events.publish(new ConnectionEvent.Lost(this.name, reason));
		repeat(System.nanoTime(), outcome);
	}

	private void repeat(long downSince, Outcome outcome) {
		for (int attempt = 1; !this.pacing.isOver(); attempt++) {
			this.pacing.pause(attempt);
			if (this.pacing.isOver()) {
				return;
			}
			this.events.publish(new ConnectionEvent.Reconnecting(this.name, attempt));
			if (attempt(attempt, outcome)) {
				Duration gone = Duration.ofNanos(System.nanoTime() - downSince);
				logger.info("The {} connection to the broker is back after {} and {} attempts", this.name, gone,
						attempt);
				this.events.publish(new ConnectionEvent.Restored(this.name, attempt, gone));
				return;
			}
		}
	}

	private boolean attempt(int attempt, Outcome outcome) {
		try {
			Connection opened = this.connectionFactory.createConnection();
			this.preparations.forEach(this::prepareOnce);
			if (!opened.isOpen()) {
				throw new AmqpConnectException("The connection was closed at once", null);
			}
			this.pacing.attempted();
			outcome.of(attempt, opened, null);
			return true;
		}
		catch (Throwable ex) {
			// Errors too: only this thread reconnects.
			this.pacing.attempted();
			String reason = reason(ex) + fix(root(ex));
			if (!this.pacing.isOver()) {
				logger.warn("The {} connection to the broker at {} could not be opened (attempt {}): {}", this.name,
						addresses(), attempt + 1, reason);
			}
			outcome.of(attempt, null, reason);
			return false;
		}
	}

	private void prepareOnce(Runnable preparation) {
		try {
			preparation.run();
		}
		catch (Throwable ex) {
			logger.warn("A new {} connection could not be prepared. {}", this.name, ex.toString());
		}
	}

	private String addresses() {
		try {
			// The host and the port are only the first of several addresses.
			if (this.connectionFactory instanceof AbstractConnectionFactory known && all(known) instanceof List<?> all
					&& !all.isEmpty()) {
				return all.stream().map(String::valueOf).collect(Collectors.joining(", "));
			}
			return this.connectionFactory.getHost() + ":" + this.connectionFactory.getPort();
		}
		catch (RuntimeException ex) {
			// A factory that routes to others throws if it has none for this thread.
			return "an unknown address";
		}
	}

	private static @Nullable Object all(AbstractConnectionFactory known) {
		// Only subclasses may call it.
		Method method = ReflectionUtils.findMethod(AbstractConnectionFactory.class, "getAddresses");
		if (method == null) {
			return null;
		}
		ReflectionUtils.makeAccessible(method);
		return ReflectionUtils.invokeMethod(method, known);
	}

	static String reason(Throwable ex) {
		Throwable cause = root(ex);
		return (cause == ex) ? String.valueOf(ex.getMessage()) : cause.toString();
	}

	private static Throwable root(Throwable ex) {
		Throwable cause = ex;
		while (cause.getCause() != null && cause.getCause() != cause) {
			cause = cause.getCause();
		}
		return cause;
	}

	/** Names the properties to check, if the cause is one that they can have. */
	private static String fix(Throwable cause) {
		if (cause instanceof PossibleAuthenticationFailureException) {
			return " (check spring.rabbitmq.username and spring.rabbitmq.password)";
		}
		if (cause instanceof ShutdownSignalException signal && signal.getReason() instanceof AMQP.Connection.Close close
				&& close.getReplyCode() == NOT_ALLOWED) {
			return " (check spring.rabbitmq.virtual-host, and that the user may access it)";
		}
		if (cause instanceof ConnectException || cause instanceof UnknownHostException
				|| cause instanceof SocketTimeoutException) {
			return " (check that RabbitMQ runs there, and spring.rabbitmq.host and spring.rabbitmq.port, or "
					+ "spring.rabbitmq.addresses)";
		}
		return "";
	}

	@FunctionalInterface
	interface Outcome {

		void of(int attempt, @Nullable Connection opened, @Nullable String failure);

	}

}
