package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * Header values of every type that AMQP has, the same ones for the same seed. No NaN and
 * nothing infinite: RabbitMQ closes the connection that brings one.
 */
final class HostileValues {

	/** RabbitMQ's default; a header frame cannot be split. */
	static final int FRAME = 131_072;

	/** All that OJS names, and one that it does not know yet. */
	private static final List<String> HEADERS = List.of("x-ojs-queue", "x-ojs-created-at", "x-ojs-enqueued-at",
			"x-ojs-scheduled-at", "x-ojs-tags", "x-ojs-trace-id", "x-ojs-traceparent", "x-ojs-trace-state",
			"x-ojs-error-message", "x-ojs-error-code", "x-ojs-error-type", "x-ojs-future");

	private final Random random;

	HostileValues(Random random) {
		this.random = random;
	}

	<T> T oneOf(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/** A value of any type. */
	Object any() {
		return any(3);
	}

	private Object any(int depth) {
		return switch (this.random.nextInt((depth > 0) ? 17 : 14)) {
			case 0 -> "";
			case 1 -> "x".repeat(this.random.nextInt(5_000));
			case 2 -> "\u0000\u001b[31m\r\n\uD83D\uDE00\u202E${jndi:ldap://localhost/a}";
			case 3 -> this.random.nextInt();
			case 4 -> this.random.nextLong();
			case 5 -> (short) this.random.nextInt();
			case 6 -> (byte) this.random.nextInt();
			case 7 -> -Double.MAX_VALUE;
			case 8 -> Float.MIN_VALUE;
			case 9 -> this.random.nextBoolean();
			case 10 -> new BigDecimal("-1234.567890");
			case 11 -> new Date(oneOf(List.of(0L, -1_000L, 253_402_300_800_000L, Long.MAX_VALUE / 1000 * 1000)));
			case 12 -> bytes(this.random.nextInt(200));
			case 13 -> new byte[0];
			case 14 -> table(depth);
			case 15 -> Arrays.asList(any(depth - 1), null, any(depth - 1));
			default -> nested(200);
		};
	}

	private Map<String, Object> table(int depth) {
		Map<String, Object> table = new HashMap<>();
		table.put("", any(depth - 1));
		table.put("\u0000", null);
		table.put("x-death", any(depth - 1));
		table.put("ä".repeat(100), any(depth - 1));
		return table;
	}

	private static Object nested(int levels) {
		Object value = "bottom";
		for (int i = 0; i < levels; i++) {
			value = (i % 2 == 0) ? Map.of("n", value) : List.of(value);
		}
		return value;
	}

	byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	/** Some of the headers of OJS, of which none makes the worker refuse a message. */
	Map<String, Object> ojsHeaders() {
		Map<String, Object> headers = new HashMap<>();
		for (int i = 0; i < 4; i++) {
			headers.put(oneOf(HEADERS), any());
		}
		return headers;
	}

	/** What the broker and libraries write. */
	Map<String, Object> forgedHeaders() {
		Map<String, Object> headers = new HashMap<>();
		headers.put("x-death", List.of(Map.of("count", 1_000_000L, "queue", "ojs.queue.input", "reason", "rejected")));
		headers.put("x-first-death-queue", "ojs.queue.dlx.input");
		headers.put("x-last-death-reason", "rejected");
		headers.put("springBatchFormat", "lengthHeader4");
		headers.put("__TypeId__", "java.lang.ProcessBuilder");
		headers.put("spring_listener_return_correlation", any());
		headers.put(oneOf(List.of("", "x".repeat(255), "\u0000", "x-retries", "amqp_deliveryTag", "x-delay")), any());
		return headers;
	}

	/** Headers that leave so many bytes of the frame, in few pieces or in many. */
	BasicProperties fill(BasicProperties properties, int free) {
		Map<String, Object> headers = new HashMap<>(
				(properties.getHeaders() != null) ? properties.getHeaders() : Map.of());
		int pieces = oneOf(List.of(1, 2, 50));
		List<String> names = new ArrayList<>();
		for (int i = 0; i < pieces; i++) {
			names.add("x-filler-" + i);
			headers.put(names.get(i), "");
		}
		int room = FRAME - free - frameSize(properties.builder().headers(headers).build());
		for (int i = 0; i < pieces; i++) {
			int length = (i < pieces - 1) ? room / pieces : room - (pieces - 1) * (room / pieces);
			headers.put(names.get(i), "f".repeat(length));
		}
		return properties.builder().headers(headers).build();
	}

	static int frameSize(BasicProperties properties) {
		try {
			return properties.toFrame(1, 0).size();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
