package io.ojs.internal.json;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Bytes that anybody can put into a queue. Whatever they are, they end in an
 * {@link UndecodableJobException} and in nothing worse: a worker takes any other
 * exception for a failed attempt, and an {@link Error} for its own end.
 */
class HostileBodyTests {

	private static final String GOOD = """
			{"id":"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f","type":"a.b","args":["ä💌"]}""";

	private final JsonJobCodec codec = new JsonJobCodec();

	@Test
	void mayBeCutOffAnywhere() {
		byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
		assertThat(this.codec.decode(good).args()).containsExactly("ä💌");
		for (int length = 0; length < good.length; length++) {
			byte[] cut = new byte[length];
			System.arraycopy(good, 0, cut, 0, length);
			assertRefused(cut);
		}
	}

	@Test
	void isToldSoThatItCanDoNothing() {
		for (String name : List.of("x\\r\\n2026-01-01 ERROR forged", "\\u001b[2J", "\\u202e")) {
			String twice = "{\"%1$s\":1,\"%1$s\":2}".formatted(name);
			assertThatExceptionOfType(UndecodableJobException.class)
				.isThrownBy(() -> this.codec.decode(twice.getBytes(StandardCharsets.UTF_8)))
				.satisfies((ex) -> assertThat(ex.getMessage()).contains(name));
		}
		String endless = "{\"%1$s\":1,\"%1$s\":2}".formatted("x".repeat(40_000));
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.codec.decode(endless.getBytes(StandardCharsets.UTF_8)))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThanOrEqualTo(1001));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ISO-8859-1", "UTF-16", "UTF-16LE", "UTF-32", "windows-1252" })
	void mayBeInAnotherCharset(String charset) {
		assertRefused(GOOD.getBytes(Charset.forName(charset)));
	}

	@Test
	void mayHaveAByteOrderMarkWhichJsonForbids() {
		assertRefused("\uFEFF" + GOOD);
	}

	@Test
	void mayBeOverlongUtf8() {
		// C0 AF is "/" in two bytes where one would do, a classic way round a filter.
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.codec.decode(new byte[] { '{', '"', (byte) 0xC0, (byte) 0xAF, '"', ':', '1', '}' }))
			.withMessageContaining("not UTF-8");
	}

	@ParameterizedTest
	@ValueSource(strings = { "%s%s", "%s x", "%s,", "%s]", "[%s]", "%s\u0000", "// comment\n%s", "%s/* comment */" })
	void mayHaveSomethingAroundTheObject(String around) {
		assertRefused(around.replace("%s", GOOD));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"id\"", "\"args\"", "\"x\"", "\"\\u0069d\"" })
	void mayHaveANameTwice(String name) {
		assertRefused(GOOD.replace("}", ",\"x\":1," + name + ":1}"));
	}

	@Test
	void mayHaveANameTwiceAnywhereWithin() {
		assertRefused(GOOD.replace("}", ",\"meta\":{\"a\":{\"b\":1,\"b\":2}}}"));
	}

	@Test
	void mayBeNestedDeeply() {
		for (int depth : new int[] { 400, 499, 500, 501, 1000, 5000, 200_000 }) {
			String nested = GOOD.replace("}", ",\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}");
			String objects = GOOD.replace("}", ",\"meta\":" + "{\"a\":".repeat(depth) + "1" + "}".repeat(depth) + "}");
			for (String body : new String[] { nested, objects }) {
				try {
					// What is taken must be written again, by the outbox or another
					// enqueue.
					byte[] bytes = this.codec.encode(this.codec.decode(body.getBytes(StandardCharsets.UTF_8)));
					assertThat(depth).isLessThan(500);
					assertThat(bytes).hasSizeGreaterThan(depth);
				}
				catch (UndecodableJobException ex) {
					assertThat(depth).isGreaterThan(400);
				}
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "timeout, 1e999999999, timeout", "priority, 1e999999999, priority", "attempt, 1e-999999999, attempt" })
	void mayHaveNumbersThatTakeForever(String field, String number, String named) {
		assertTimeoutPreemptively(Duration.ofSeconds(30),
				() -> assertThatExceptionOfType(UndecodableJobException.class)
					.isThrownBy(() -> decode(GOOD.replace("}", ",\"%s\":%s}".formatted(field, number))))
					.withMessageContaining("'" + named + "'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e999999999", "1e308999", "-1e999999999", "1e-999999999", "0" })
	void mayHaveCoefficientsThatNoDoubleHolds(String number) {
		String body = GOOD.replace("}", ",\"retry\":{\"backoff_coefficient\":" + number + "}}");
		assertTimeoutPreemptively(Duration.ofSeconds(30),
				() -> assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> decode(body))
					.withMessageContaining("'retry.backoff_coefficient'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "-2147483648", "2147483647", "1.5", "\"3\"" })
	void mayCountRetriesThatDoNotExist(String maxRetries) {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> decode(GOOD.replace("}", ",\"retry\":{\"max_retries\":" + maxRetries + "}}")))
			.withMessageContainingAll("'retry.max_retries'", maxRetries);
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "4, 5", "2147483646, 2147483647" })
	void mayCountRetriesWhereWeCountAttempts(int maxRetries, int maxAttempts) {
		assertThat(decode(GOOD.replace("}", ",\"retry\":{\"max_retries\":" + maxRetries + "}}")).retry())
			.isEqualTo(RetryOverrides.NONE.maxAttempts(maxAttempts));
	}

	@Test
	void mayHaveIntegersThatNoIntHolds() {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> decode(GOOD.replace("}", ",\"priority\":2147483648}")))
			.withMessageContaining("'priority' must fit into 32 bits");
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> decode(GOOD.replace("}", ",\"priority\":99999999999999999999}")))
			.withMessageContaining("'priority' must fit into 32 bits");
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> decode(GOOD.replace("}", ",\"priority\":1.0}")))
			.withMessageContaining("'priority' must be an integer");
	}

	@Test
	void mayHaveErrorsThatSayNothing() {
		assertThat(decode(GOOD.replace("}", ",\"errors\":[{},{\"type\":\"t\"}]}")).errors()).hasSize(2)
			.first()
			.isEqualTo(new JobError("unknown", JobError.HANDLER_ERROR, "", 0, Rfc3339.utc(Instant.EPOCH), List.of(),
					Map.of()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT999999999999999999999S", "PT-1S", "-PT1S", "PT0S", "P99999999999999999999W", "P1Y",
			"P1MT1S", "P1Y1W", "1s", "PT", "P", "W", "pw", "PT1H30", "PT1,5" })
	void mayHaveDurationsThatAreNone(String duration) {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> decode(GOOD.replace("}", ",\"retry\":{\"initial_interval\":\"" + duration + "\"}}")))
			.withMessageContaining("'retry.initial_interval'");
	}

	@Test
	void mayBeHuge() {
		String huge = "x".repeat(5_000_000);
		assertThat(decode(GOOD.replace("}", ",\"x\":\"" + huge + "\"}")).extensions()).containsEntry("x", huge);
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> decode(GOOD.replace("a.b", huge)))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(1000));
	}

	private Job decode(String body) {
		return this.codec.decode(body.getBytes(StandardCharsets.UTF_8));
	}

	private void assertRefused(String body) {
		assertRefused(body.getBytes(StandardCharsets.UTF_8));
	}

	private void assertRefused(byte[] body) {
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> this.codec.decode(body))
			.withMessageStartingWith("The body is");
	}

}
