package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;

/**
 * Puts dead letters where a worker would have put them, without waiting for jobs to fail.
 */
final class DeadLetters {

	private final RawClient client;

	private final String queue;

	private int made;

	private DeadLetters(RawClient client, String queue, int made) {
		this.client = client;
		this.queue = queue;
		this.made = made;
	}

	/** Of queues that exist. */
	static DeadLetters of(RawClient client, String queue) {
		return new DeadLetters(client, queue, 0);
	}

	/**
	 * Declares a job queue and its dead letter queue as this library does.
	 */
	DeadLetters(RawClient client, String queue) throws IOException {
		this.client = client;
		this.queue = queue;
		client.channel().exchangeDeclare("ojs.exchange.direct", "direct", true);
		client.channel().exchangeDeclare("ojs.exchange.dlx", "direct", true);
		declare("ojs.queue.dlx." + queue, "ojs.exchange.dlx", Map.of("x-queue-type", "quorum"));
		declare("ojs.queue." + queue, "ojs.exchange.direct",
				Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "ojs.exchange.dlx",
						"x-dead-letter-routing-key", queue, "x-dead-letter-strategy", "at-least-once", "x-overflow",
						"reject-publish", "x-delivery-limit", 20));
	}

	private void declare(String name, String exchange, Map<String, Object> arguments) throws IOException {
		this.client.channel().queueDeclare(name, true, false, false, arguments);
		this.client.channel().queueBind(name, exchange, this.queue);
	}

	/** The id of the n-th dead letter, from 1. */
	static String id(int number) {
		return "019461a8-1a2b-7c3d-8e4f-%012d".formatted(number);
	}

	/** One more, of a job type and with headers beyond those that each one has. */
	String add(String type, Map<String, Object> headers) {
		return add(type, headers, null);
	}

	String add(String type, Map<String, Object> headers, Integer priority) {
		String id = id(++this.made);
		publish(RawClient.properties(id, type).priority(priority).headers(headers(headers)).build(),
				RawClient.envelope(id, type, this.queue, "[%d]".formatted(this.made)));
		return id;
	}

	static Map<String, Object> headers(Map<String, Object> more) {
		Map<String, Object> headers = new HashMap<>(Map.of("x-ojs-attempt", 3, "x-ojs-error-type",
				"java.lang.IllegalStateException", "x-ojs-error-code", "HANDLER_ERROR", "x-ojs-error-message",
				"no luck", "x-ojs-error-stack-hash", "0123456789abcdef", "x-ojs-error-at", "2026-03-15T09:30:00.000Z"));
		headers.putAll(more);
		return headers;
	}

	void publish(BasicProperties properties, byte[] body) {
		try {
			this.client.channel().confirmSelect();
			this.client.channel().basicPublish("ojs.exchange.dlx", this.queue, true, properties, body);
			this.client.channel().waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	void addMany(int number, String type) {
		try {
			this.client.channel().confirmSelect();
			for (int i = 0; i < number; i++) {
				String id = id(++this.made);
				this.client.channel()
					.basicPublish("ojs.exchange.dlx", this.queue,
							RawClient.properties(id, type).headers(headers(Map.of())).build(),
							RawClient.envelope(id, type, this.queue, "[%d]".formatted(this.made)));
			}
			this.client.channel().waitForConfirmsOrDie(60_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	long dead() {
		return this.client.count("ojs.queue.dlx." + this.queue);
	}

	long waiting() {
		return this.client.count("ojs.queue." + this.queue);
	}

	/** Takes all dead letters. */
	List<GetResponse> drain() {
		return this.client.drain("ojs.queue.dlx." + this.queue);
	}

	/** Takes all jobs that wait. */
	List<GetResponse> drainJobs() {
		return this.client.drain("ojs.queue." + this.queue);
	}

	/** Takes messages out of a queue for their ids. */
	static List<String> ids(List<GetResponse> messages) {
		List<String> ids = new ArrayList<>();
		messages.forEach((message) -> ids.add(message.getProps().getMessageId()));
		return ids;
	}

	static String text(byte[] body) {
		return new String(body, StandardCharsets.UTF_8);
	}

}
