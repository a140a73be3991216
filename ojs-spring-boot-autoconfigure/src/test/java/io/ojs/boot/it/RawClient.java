package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;

import static org.awaitility.Awaitility.await;

/**
 * What a client sees that knows only AMQP.
 */
final class RawClient implements AutoCloseable {

	private final Connection connection;

	private Channel channel;

	RawClient(String uri) {
		try {
			ConnectionFactory factory = new ConnectionFactory();
			factory.setUri(uri);
			this.connection = factory.newConnection("raw client");
			this.channel = this.connection.createChannel();
		}
		catch (Exception ex) {
			throw new IllegalStateException("No connection to " + uri, ex);
		}
	}

	Channel channel() {
		try {
			if (!this.channel.isOpen()) {
				this.channel = this.connection.createChannel();
			}
			return this.channel;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Publishes to the exchange that jobs are published to, and waits for the confirm.
	 */
	void publish(String queue, BasicProperties properties, byte[] body) {
		try {
			channel().confirmSelect();
			channel().basicPublish("ojs.exchange.direct", queue, true, properties, body);
			channel().waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A job as another implementation would publish it. */
	void publishJob(String queue, String id, String type, String args) {
		publish(queue, properties(id, type).build(), envelope(id, type, queue, args));
	}

	static BasicProperties.Builder properties(String id, String type) {
		return new BasicProperties.Builder().messageId(id)
			.type(type)
			.contentType("application/openjobspec+json")
			.contentEncoding("utf-8")
			.deliveryMode(2);
	}

	static byte[] envelope(String id, String type, String queue, String args) {
		return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"%s\",\"queue\":\"%s\",\"args\":%s}"
			.formatted(id, type, queue, args)
			.getBytes(StandardCharsets.UTF_8);
	}

	/** Waits for a message in a queue and takes it. */
	GetResponse take(String queue) {
		AtomicReference<GetResponse> taken = new AtomicReference<>();
		await("a message in " + queue).atMost(Duration.ofSeconds(20)).until(() -> {
			// What is published after a commit declares its queue after the commit too.
			taken.set(exists(queue) ? channel().basicGet(queue, true) : null);
			return taken.get() != null;
		});
		return taken.get();
	}

	/** Takes everything that is in a queue now. */
	List<GetResponse> drain(String queue) {
		try {
			List<GetResponse> taken = new ArrayList<>();
			for (GetResponse next = channel().basicGet(queue, true); next != null; next = channel().basicGet(queue,
					true)) {
				taken.add(next);
			}
			return taken;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Messages that are ready in a queue. */
	long count(String queue) {
		try {
			return channel().messageCount(queue);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Consumers of a queue, those of all processes. */
	long consumers(String queue) {
		try {
			return channel().consumerCount(queue);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	boolean exists(String queue) {
		try (Channel own = this.connection.createChannel()) {
			own.queueDeclarePassive(queue);
			return true;
		}
		catch (Exception ex) {
			return false;
		}
	}

	/** Headers with text as text: the client hands out its own type for it. */
	static Map<String, String> headers(GetResponse message) {
		Map<String, String> headers = new TreeMap<>();
		message.getProps().getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
		return headers;
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (Exception ex) {
			// The broker may be gone already: some tests kill it.
		}
	}

}
