package io.ojs.boot.it;

import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;

import com.rabbitmq.client.AMQP.BasicProperties;

/**
 * Messages that are no jobs, made by chance, the same ones for the same seed.
 */
final class HostileMessages {

	private static final String INVALID_PAYLOAD = "INVALID_PAYLOAD";

	private final Random random;

	private final HostileValues values;

	private final List<Supplier<Hostile>> kinds = List.of(this::truncated, this::surrounded, this::wrongType,
			this::wrongField, this::missingField, this::deep, this::notUtf8, this::otherCharset, this::noise,
			this::nameTwice, this::hugeNumber, this::badString, this::contentType, this::contentEncoding, this::attempt,
			this::maxAttempts, this::idempotencyKey, this::contradiction, this::badId, this::badType, this::badQueue,
			this::misfit, this::expired, this::hugeHeaders, this::ojsHeaders, this::forgedHeaders, this::megabyte,
			this::noObject, this::badRetry, this::badTime, this::unknownType);

	private int count;

	HostileMessages(long seed) {
		this.random = new Random(seed);
		this.values = new HostileValues(this.random);
	}

	/** So many, of all kinds in turn. */
	List<Hostile> next(int messages) {
		List<Hostile> result = new ArrayList<>(messages);
		for (int i = 0; i < messages; i++) {
			this.count = i;
			result.add(this.kinds.get(i % this.kinds.size()).get());
		}
		return result;
	}

	private String id() {
		return "019461a8-0bad-7000-8000-%012x".formatted(this.count);
	}

	/** The cluster-id means nothing to anybody and tells which message it is. */
	private BasicProperties properties() {
		return RawClient.properties(id(), "any.take").clusterId("bad-" + this.count).build();
	}

	private String envelope(String args, String more) {
		return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"any.take\",\"queue\":\"input\",\"args\":%s%s}"
			.formatted(id(), args, more);
	}

	private Hostile body(String kind, byte[] body) {
		return new Hostile(kind, INVALID_PAYLOAD, properties(), body);
	}

	private Hostile body(String kind, String body) {
		return body(kind, body.getBytes(StandardCharsets.UTF_8));
	}

	private Hostile property(String kind, BasicProperties.Builder properties) {
		return new Hostile(kind, INVALID_PAYLOAD, properties.build(),
				envelope("[1]", "").getBytes(StandardCharsets.UTF_8));
	}

	private String replaced(String field, String json) {
		return envelope("[1]", "").replaceFirst("\"" + field + "\":(\"[^\"]*\"|\\[1])",
				Matcher.quoteReplacement("\"" + field + "\":" + json));
	}

	private Hostile truncated() {
		byte[] whole = envelope("[{\"a\":\"ä\"},null,1.5e3]", ",\"meta\":{\"b\":[true]}")
			.getBytes(StandardCharsets.UTF_8);
		return body("truncated", Arrays.copyOf(whole, this.random.nextInt(whole.length)));
	}

	private Hostile surrounded() {
		String around = this.values
			.oneOf(List.of("%s%s", "%s x", "%s,", "%s]", "[%s]", "\uFEFF%s", "%s\u0000", "// c\n%s", "/**/%s", "(%s)"));
		return body("surrounded", around.replace("%s", envelope("[1]", "")));
	}

	private Hostile wrongType() {
		String field = this.values.oneOf(List.of("specversion", "id", "type", "queue"));
		return body("wrong type of " + field,
				replaced(field, this.values.oneOf(List.of("17", "true", "{}", "[]", "1.5", "[\"a\"]", "1e999999999"))));
	}

	private Hostile wrongField() {
		List<String> wrong = List.of("\"priority\":\"high\"", "\"priority\":101", "\"priority\":1.5",
				"\"priority\":1e99", "\"timeout\":-1", "\"timeout\":\"30\"", "\"timeout\":2147483648", "\"attempt\":-1",
				"\"attempt\":[]", "\"attempt\":true", "\"meta\":[]", "\"meta\":\"m\"", "\"errors\":{}",
				"\"errors\":[1]", "\"errors\":[{\"code\":1}]", "\"state\":\"unknown\"", "\"state\":1");
		return body("wrong field", envelope("[1]", "," + this.values.oneOf(wrong)));
	}

	private Hostile missingField() {
		String field = this.values.oneOf(List.of("id", "type", "args"));
		String without = this.random.nextBoolean() ? replaced(field, "null")
				: envelope("[1]", "").replace("\"" + field + "\":", "\"not_" + field + "\":");
		return body("missing " + field, without);
	}

	private Hostile deep() {
		int depth = this.values.oneOf(List.of(501, 1_000, 10_000, 100_000));
		String nested = this.random.nextBoolean() ? "[".repeat(depth) + "]".repeat(depth)
				: "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
		return body("nested " + depth, this.random.nextBoolean() ? envelope("[" + nested + "]", "")
				: envelope("[1]", ",\"x_deep\":" + nested));
	}

	private Hostile notUtf8() {
		byte[] whole = envelope("[\"text\"]", "").getBytes(StandardCharsets.UTF_8);
		byte[] bad = this.values.oneOf(List.of(new byte[] { (byte) 0xC0, (byte) 0xAF }, new byte[] { (byte) 0xFF },
				new byte[] { (byte) 0xED, (byte) 0xA0, (byte) 0x80 }, new byte[] { (byte) 0x80 },
				new byte[] { (byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80 }, new byte[] { (byte) 0xC3 }));
		int at = this.random.nextInt(whole.length);
		byte[] body = Arrays.copyOf(whole, whole.length + bad.length);
		System.arraycopy(bad, 0, body, at, bad.length);
		System.arraycopy(whole, at, body, at + bad.length, whole.length - at);
		return body("not UTF-8", body);
	}

	private Hostile otherCharset() {
		String charset = this.values
			.oneOf(List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "ISO-8859-1", "windows-1252", "IBM037"));
		return body(charset, envelope("[\"äöü\"]", "").getBytes(Charset.forName(charset)));
	}

	private Hostile noise() {
		return body("noise", this.values.bytes(this.random.nextInt(3) * this.random.nextInt(1_000)));
	}

	private Hostile nameTwice() {
		String twice = this.values.oneOf(List.of("\"id\":\"" + id() + "\"", "\"\\u0069d\":1", "\"args\":[2]",
				"\"meta\":{\"a\":1,\"a\":2}", "\"x\":{\"y\":[{\"z\":1,\"z\":1}]}"));
		return body("a name twice", envelope("[1]", "," + twice));
	}

	private Hostile hugeNumber() {
		String digits = "9".repeat(this.values.oneOf(List.of(1_001, 5_000, 500_000)));
		return body("huge number", this.random.nextBoolean() ? envelope("[" + digits + "]", "")
				: envelope("[1]", ",\"priority\":" + digits));
	}

	private Hostile badString() {
		String bad = this.values.oneOf(List.of("\\ud80", "\\x41", "\\", "\n", "\u0000", "\u001f", "\\u00zz", "\t"));
		return body("bad string", envelope("[\"" + bad + "\"]", ""));
	}

	private Hostile contentType() {
		String wrong = this.values.oneOf(
				Arrays.asList(null, "", ";", "text/plain", "application/x-java-serialized-object", "application/jsonp",
						"application/json\u0000", "json", "j".repeat(255), "application/json,text/html"));
		return property("content type", properties().builder().contentType(wrong));
	}

	private Hostile contentEncoding() {
		String wrong = this.values.oneOf(List.of("", "gzip", "utf-16", "UTF8", "utf-8\u0000", "deflate, utf-8", " "));
		return property("content encoding", properties().builder().contentEncoding(wrong));
	}

	private Hostile attempt() {
		return count("x-ojs-attempt", 0);
	}

	private Hostile maxAttempts() {
		return count("x-ojs-max-attempts", -2);
	}

	private Hostile count(String header, int tooFew) {
		Object wrong = this.values
			.oneOf(List.of(tooFew, -1, (short) -7, (byte) -128, Integer.MIN_VALUE, Integer.MAX_VALUE, 2147483648L,
					Long.MAX_VALUE, Long.MIN_VALUE, 1.0, 1.0f, "1", "", "x".repeat(10_000), true, new Date(),
					new byte[] { 1 }, new BigDecimal("1"), List.of(1), Map.of("1", 1), Collections.emptyMap()));
		Map<String, Object> headers = this.values.ojsHeaders();
		headers.put(header, wrong);
		return property(header, properties().builder().headers(headers));
	}

	private Hostile idempotencyKey() {
		Object wrong = this.values
			.oneOf(List.of(17, 1.5, true, new Date(), new byte[] { 'k' }, List.of("k"), Map.of("k", "k")));
		return property("x-ojs-idempotency-key that is no string",
				properties().builder().headers(Map.of("x-ojs-idempotency-key", wrong)));
	}

	private Hostile contradiction() {
		String other = this.values.oneOf(
				List.of("019461a8-0bad-7000-8000-ffffffffffff", "", " " + id(), id() + "\u0000", "x".repeat(255), "1"));
		return this.random.nextBoolean() ? property("other message_id", properties().builder().messageId(other))
				: property("other type", properties().builder().type(other));
	}

	private Hostile badId() {
		String bad = this.values
			.oneOf(List.of("", "17", "00000000-0000-0000-0000-000000000000", "5bd1a7c6-64f0-4a3c-9d3f-2a6b7c8d9e0f",
					"{" + id() + "}", "../../etc/passwd", id() + " ", "\\u0000", "\\ud800", "x".repeat(100_000)));
		return body("bad id", replaced("id", "\"" + bad + "\""));
	}

	private Hostile badType() {
		String bad = this.values
			.oneOf(List.of("", ".", "a..b", "any.take ", "Any.Take", "any/take", "a".repeat(256), "any.take\\u0000",
					"\\ud83d", "${jndi:ldap://localhost/a}", "any.take' OR 1=1", "ａｎｙ", "\\r\\nINFO ok"));
		Hostile hostile = body("bad type", replaced("type", "\"" + bad + "\""));
		return new Hostile(hostile.kind(), hostile.code(), hostile.properties().builder().type(null).build(),
				hostile.body());
	}

	private Hostile badQueue() {
		String bad = this.values.oneOf(
				List.of("", "Input", "a b", "dlx.input", "retry.input", "control.x", "delay.1", "q".repeat(129), "#"));
		return body("bad queue", replaced("queue", "\"" + bad + "\""));
	}

	private Hostile misfit() {
		String args = this.values
			.oneOf(List.of("[\"seven\"]", "[null]", "[1.5]", "[2147483648]", "[]", "[1,2]", "[{}]", "[[1]]", "[true]",
					"[1e999999999]", "[-1e999999999]", "[1e-999999999]", "[\"\"]", "[" + "9".repeat(999) + "]"));
		String body = envelope(args, "").replace("any.take", "number.take");
		return new Hostile("misfit", "INVALID_ARGS", properties().builder().type("number.take").build(),
				body.getBytes(StandardCharsets.UTF_8));
	}

	private Hostile expired() {
		String past = this.values
			.oneOf(List.of("1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2020-02-29T23:59:59.999999999999-12:00"));
		Hostile hostile = body("expired", envelope("[1]", ",\"expires_at\":\"" + past + "\""));
		return new Hostile(hostile.kind(), "JOB_EXPIRED", hostile.properties(), hostile.body());
	}

	private Hostile hugeHeaders() {
		int free = this.values.oneOf(List.of(0, 1, 20, 100, 500, 1_200, 4_000, 60_000));
		Map<String, Object> headers = new HashMap<>(Map.of("x-kept", "small"));
		return new Hostile("headers with " + free + " bytes free in the frame", INVALID_PAYLOAD,
				this.values.fill(properties().builder().headers(headers).build(), free), new byte[] { '{' });
	}

	private Hostile ojsHeaders() {
		return new Hostile("hostile x-ojs headers", INVALID_PAYLOAD,
				properties().builder().headers(this.values.ojsHeaders()).build(), new byte[] { '[' });
	}

	private Hostile forgedHeaders() {
		return new Hostile("forged headers", INVALID_PAYLOAD,
				properties().builder().headers(this.values.forgedHeaders()).build(), new byte[0]);
	}

	private Hostile megabyte() {
		String megabyte = "x".repeat(1_000_000);
		return switch (this.random.nextInt(4)) {
			case 0 -> body("a megabyte of noise", this.values.bytes(1_000_000));
			case 1 -> body("a megabyte of type", replaced("type", "\"" + megabyte + "\""));
			case 2 -> body("a megabyte without an end", "{\"id\":\"" + megabyte);
			default -> body("a megabyte of zeros", new byte[1_000_000]);
		};
	}

	private Hostile noObject() {
		return body("no object", this.values.oneOf(List.of("null", "true", "0", "\"job\"", "[]", "[{}]", "{}", " ",
				"\n", "NaN", "undefined", "{'id':1}", "<job/>", "---\nid: 1", "\"" + id() + "\"")));
	}

	private Hostile badRetry() {
		String retry = this.values.oneOf(List.of("[]", "\"3\"", "3", "{\"max_attempts\":\"3\"}",
				"{\"max_attempts\":-1}", "{\"max_attempts\":1e9}", "{\"initial_interval\":\"1s\"}",
				"{\"initial_interval\":-1}", "{\"max_interval\":\"PT-5M\"}", "{\"backoff_coefficient\":\"2\"}",
				"{\"backoff_coefficient\":1e999}", "{\"jitter\":\"yes\"}", "{\"on_exhaustion\":\"explode\"}",
				"{\"non_retryable_errors\":[1]}", "{\"backoff_strategy\":\"random\"}", "{\"max_retries\":-1}"));
		return body("bad retry", envelope("[1]", ",\"retry\":" + retry));
	}

	private Hostile badTime() {
		String field = this.values
			.oneOf(List.of("created_at", "enqueued_at", "scheduled_at", "expires_at", "started_at", "completed_at"));
		String time = this.values.oneOf(List.of("\"yesterday\"", "\"\"", "0", "\"2026-03-15T09:30:00\"",
				"\"99999-01-01T00:00:00Z\"", "\"2026-02-30T00:00:00Z\"", "\"2026-03-15T25:00:00Z\"", "[2026,3,15]",
				"\"2026-03-15\"", "\"-0001-01-01T00:00:00Z\""));
		return body("bad " + field, envelope("[1]", ",\"%s\":%s".formatted(field, time)));
	}

	private Hostile unknownType() {
		String type = this.values.oneOf(List.of("java.lang.runtime", "any.take2", "any", "a".repeat(255), "x-y_z.0-"));
		boolean known = !type.endsWith("0-");
		Hostile hostile = body("unknown type", replaced("type", "\"" + type + "\""));
		return new Hostile(hostile.kind(), known ? "INVALID_JOB_TYPE" : INVALID_PAYLOAD,
				hostile.properties().builder().type(null).build(), hostile.body());
	}

	/**
	 * A message that is no job.
	 *
	 * @param kind what is wrong with it
	 * @param code the code that it must be dead-lettered with
	 * @param properties its properties
	 * @param body its body
	 */
	record Hostile(String kind, String code, BasicProperties properties, byte[] body) {
	}

}
