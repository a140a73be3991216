package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * Messages that look hostile and are jobs: nothing in them contradicts what OJS demands.
 */
final class OddMessages {

	private final HostileValues values;

	private final List<Odd> made = new ArrayList<>();

	OddMessages(long seed) {
		this.values = new HostileValues(new Random(seed));
	}

	List<Odd> make() {
		for (int i = 0; i < 20; i++) {
			add("hostile values of headers that the worker does not go by",
					properties().headers(this.values.ojsHeaders()), "[1]");
			add("headers of others", properties().headers(this.values.forgedHeaders()), "[1]");
		}
		for (int free : new int[] { 0, 1, 50, 1_000 }) {
			add("headers with " + free + " bytes free in the frame",
					this.values.fill(properties().build(), free).builder(), "[1]");
		}
		for (Object attempt : new Object[] { (byte) 1, (short) 2, 3L, 99, Integer.MAX_VALUE - 1 }) {
			add("attempt " + attempt, properties().headers(Map.of("x-ojs-attempt", attempt)), "[1]");
		}
		for (Object maxAttempts : new Object[] { 0, (byte) 1, Integer.MAX_VALUE - 1 }) {
			add("max-attempts " + maxAttempts, properties().headers(Map.of("x-ojs-max-attempts", maxAttempts)), "[1]");
		}
		Map<String, Object> nothing = new HashMap<>();
		nothing.put("x-ojs-attempt", null);
		nothing.put("x-ojs-max-attempts", null);
		add("headers without a value", properties().headers(nothing), "[1]");
		addProperties();
		addBodies();
		return List.copyOf(this.made);
	}

	private void addProperties() {
		add("nothing but a content type", new BasicProperties.Builder().contentType("application/json"), "[1]");
		add("parameters of a content type", properties().contentType("Application/JSON ; charset=x;;"), "[1]");
		add("an id in capitals", properties().messageId(id().toUpperCase(Locale.ROOT)), "[1]");
		add("not persistent", properties().deliveryMode(1), "[1]");
		add("a priority of 255", properties().priority(255), "[1]");
		add("a time long ago", properties().timestamp(new Date(-1_000)), "[1]");
		add("a time far ahead", properties().timestamp(new Date(Long.MAX_VALUE / 1000 * 1000)), "[1]");
		String longest = "p".repeat(255);
		add("properties as long as they can be",
				properties().appId(longest).replyTo(longest).clusterId(longest).correlationId(longest), "[1]");
	}

	private void addBodies() {
		add("a megabyte", properties(), "[\"" + "x".repeat(1_000_000) + "\"]");
		add("nested 400", properties(), "[" + "[".repeat(400) + "]".repeat(400) + "]");
		add("999 digits", properties(), "[" + "9".repeat(999) + "]");
		add("an exponent that takes forever", properties(), "[1e999999999]");
		add("a NUL, escaped", properties(), "[\"\\u0000\"]");
		add("half a surrogate pair, escaped", properties(), "[\"\\ud800\"]");
		add("a proto", properties(), "[{\"__proto__\":{\"@class\":\"java.lang.ProcessBuilder\"},\"\":1}]");
		add("fields that nobody knows", properties(), "[1],\"x\":{\"id\":[]},\"\":null,\"\\u0000\":0");
		add("space around", properties(), "\r\n\t [1]\n\n  ");
		add("null where it may be", properties(), "[1],\"meta\":null,\"priority\":null,\"retry\":null,\"timeout\":0");
		add("a queue that is another", properties(), "[1],\"queue\":\"elsewhere\"");
		add("a policy beyond reason", properties(),
				"[1],\"retry\":{\"max_attempts\":2147483647,\"max_interval\":\"P99999999D\",\"x\":[]}");
	}

	private void add(String kind, BasicProperties.Builder properties, String args) {
		String body = "{\"id\":\"%s\",\"type\":\"any.take\",\"args\":%s}".formatted(id(), args);
		this.made.add(new Odd(kind, id(), properties.build(), body.getBytes(StandardCharsets.UTF_8)));
	}

	private String id() {
		return "019461a8-0dd0-7000-8000-%012x".formatted(this.made.size());
	}

	private BasicProperties.Builder properties() {
		return RawClient.properties(id(), "any.take");
	}

	/**
	 * A message that is a job.
	 *
	 * @param kind what is odd about it
	 * @param id the job's id
	 * @param properties its properties
	 * @param body its body
	 */
	record Odd(String kind, String id, BasicProperties properties, byte[] body) {
	}

}
