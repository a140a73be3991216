package io.ojs.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.BackoffStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The envelope in JSON and back (OJS JSON Format).
 */
class EnvelopeJsonTests {

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final String FULL = """
			{"specversion":"1.0","id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","type":"email.send","queue":"email",
			"args":["user@example.com",42,1.50,true,null,[1,[2]],{"a":{"b":null}},12345678901234567890,1E+400],
			"meta":{"trace_id":"abc","nested":{"x":[]},"nothing":null},"priority":-10,"timeout":30,
			"scheduled_at":"2025-06-01T09:00:00+02:00","expires_at":"2025-06-01T12:00:00.123456Z",
			"retry":{"max_attempts":5,"initial_interval":"PT1S","backoff_coefficient":2.5,"max_interval":"PT5M",
			"jitter":false,"non_retryable_errors":["a.*"],"on_exhaustion":"discard","backoff_strategy":"linear",
			"x_vendor":{"kept":1.10}},"state":"active","attempt":2,"created_at":"2025-06-01T08:55:00.000Z",
			"enqueued_at":"2025-06-01T09:00:00.123Z","started_at":"2025-06-01T09:00:01.456Z",
			"completed_at":"2025-06-01T09:00:02.000Z","result":{"ok":[true]},
			"errors":[{"type":"SmtpError","code":"HANDLER_ERROR","message":"refused","attempt":1,
			"occurred_at":"2025-06-01T09:00:02.789Z","backtrace":["a","b"],"details":{"port":25}}],
			"unique":{"keys":["args","type"],"args_keys":["a"],"period":"PT1H","states":["completed"],"on_conflict":"ignore"},"visibility_timeout":60,"x_future":[{"deep":[1.0,null]}]}""";

	private final JsonJobCodec codec = new JsonJobCodec();

	@Test
	void everyFieldKnownAndUnknownSurvivesDecodingAndEncoding() {
		JsonMapper exact = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
		Map<?, ?> before = exact.readValue(FULL, Map.class);
		Map<?, ?> after = exact.readValue(this.codec.encode(decode(FULL)), Map.class);
		assertThat(normalized(after)).isEqualTo(normalized(before));
		assertThat(decode(new String(this.codec.encode(decode(FULL)), StandardCharsets.UTF_8))).isEqualTo(decode(FULL));
	}

	/** A timestamp may gain zeros on its way, a duration or a number nothing. */
	private static String normalized(Map<?, ?> envelope) {
		return new TreeMap<>(envelope).toString().replaceAll("(T\\d\\d:\\d\\d:\\d\\d)(?=[Z+])", "$1.000");
	}

	@Test
	void fieldsAreWhereTheyBelong() {
		Job job = decode(FULL);
		assertThat(job.priority()).isEqualTo(-10);
		assertThat(job.timeout()).hasSeconds(30);
		assertThat(job.scheduledAt()).isEqualTo("2025-06-01T09:00:00+02:00");
		assertThat(job.state()).isEqualTo(JobState.ACTIVE);
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(job.retry().backoffStrategy()).isEqualTo(BackoffStrategy.LINEAR);
		assertThat(job.retry().extensions()).containsOnlyKeys("x_vendor");
		assertThat(job.unique().argsKeys()).containsExactly("a");
		assertThat(job.errors()).singleElement().satisfies((error) -> {
			assertThat(error.message()).isEqualTo("refused");
			assertThat(error.details()).containsEntry("port", 25);
		});
		assertThat(job.extensions()).containsOnlyKeys("visibility_timeout", "x_future");
	}

	@Test
	void fiveFieldsAreEnoughAndTwoOfThemMayBeMissing() {
		Job job = decode("{\"id\":\"" + ID + "\",\"type\":\"email.send\",\"args\":[]}");
		assertThat(job.specVersion()).isEqualTo("1.0");
		assertThat(job.queue()).isEqualTo("default");
		assertThat(job.attempt()).isZero();
		assertThat(job.retry()).isNull();
	}

	@Test
	void olderWordsAreUnderstood() {
		Job job = decode(minimal(",\"state\":\"dead\",\"timeout\":0,\"retry\":{\"max_retries\":4},"
				+ "\"errors\":[{\"type\":\"x\",\"message\":\"m\",\"attempt\":1,\"timestamp\":\"2026-02-12T10:31:05Z\"}]"));
		assertThat(job.state()).isEqualTo(JobState.DISCARDED);
		assertThat(job.timeout()).isNull();
		assertThat(job.retry().maxAttempts()).isEqualTo(5);
		assertThat(job.errors().get(0).occurredAt()).isEqualTo("2026-02-12T10:31:05Z");
	}

	@Test
	void partialRetryPolicyIsCheckedByWhatItSetsItself() {
		assertThat(decode(minimal(",\"retry\":{\"initial_interval\":\"PT1H\"}")).retry().initialInterval()).hasHours(1);
		assertThat(decode(minimal(",\"retry\":{\"max_interval\":\"PT0.1S\"}")).retry().maxInterval()).hasMillis(100);
		assertBad(minimal(",\"retry\":{\"initial_interval\":\"PT1H\",\"max_interval\":\"PT1S\"}"),
				"retry.max_interval");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "a.b@2.0||2.0", "a.b@2|,\"version\":null|2",
			"a.b@2.0|,\"version\":3|3", "a.b|,\"version\":\"1.4\"|1.4", "a.b||" })
	void versionMayStandBehindTheTypeAndIsKeptAsItWasWritten(String type, @Nullable String field,
			@Nullable String kept) {
		Job job = this.codec
			.decode(("{\"id\":\"%s\",\"type\":\"%s\",\"args\":[]%s}".formatted(ID, type, (field != null) ? field : ""))
				.getBytes(StandardCharsets.UTF_8));
		assertThat(job.type()).isEqualTo("a.b");
		assertThat(Objects.toString(job.extensions().get("version"), null)).isEqualTo(kept);
		assertThat(this.codec.decode(this.codec.encode(job))).isEqualTo(job);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "specversion|2.0|specversion", "version|1.5|version", "version|\"1.2.3\"|version",
					"version|{}|version", "queue|5|queue", "priority|1.5|priority", "priority|1e99|priority",
					"priority|99999999999|priority", "priority|101|priority", "timeout|-1|timeout", "meta|[]|meta",
					"scheduled_at|\"2025-06-01T09:00:00\"|scheduled_at", "expires_at|17|expires_at", "retry|true|retry",
					"retry|{\"max_attempts\":\"3\"}|retry.max_attempts",
					"retry|{\"initial_interval\":\"1s\"}|retry.initial_interval",
					"retry|{\"initial_interval\":\"P1M\"}|retry.initial_interval", "retry|{\"jitter\":1}|retry.jitter",
					"retry|{\"on_exhaustion\":\"forget\"}|retry.on_exhaustion",
					"retry|{\"backoff_strategy\":\"wild\"}|retry.backoff_strategy",
					"retry|{\"non_retryable_errors\":[1]}|retry.non_retryable_errors", "state|\"gone\"|state",
					"attempt|-1|attempt", "created_at|{}|created_at", "errors|{}|errors", "errors|[1]|errors[0]",
					"errors|[{\"message\":5}]|errors[0].message" })
	void fieldOfTheWrongKindIsNamed(String field, String value, String named) {
		String envelope = "{\"id\":\"%s\",\"type\":\"email.send\",\"args\":[],\"%s\":%s}".formatted(ID, field, value);
		assertBad(envelope, "'" + named + "'");
	}

	@Test
	void requiredFieldsAreNamed() {
		assertBad("{}", "'id' is required");
		assertBad("{\"id\":\"" + ID + "\"}", "'type' is required");
		assertBad("{\"id\":\"" + ID + "\",\"type\":\"a\"}", "'args' is required");
		assertBad("{\"id\":\"" + ID + "\",\"type\":\"a\",\"args\":{}}", "'args' must be an array");
		assertBad("{\"id\":\"17\",\"type\":\"a\",\"args\":[]}", "'id' must be a UUIDv7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "{", "[]", "17", "null", "\"{}\"", "{\"id\":1,\"id\":2}", "{} {}", "{'id':1}",
			"{\"a\":01}", "{\"a\":NaN}" })
	void whatIsNotOneJsonObjectIsRefused(String body) {
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> decode(body))
			.withMessageStartingWith("The body is");
	}

	@Test
	void hostileBodiesAreRefusedAndNotDied() {
		String deep = "[".repeat(100_000) + "]".repeat(100_000);
		assertBad(minimal(",\"x\":" + deep), "nesting");
		assertBad(minimal(",\"x\":" + "9".repeat(100_000)), "length");
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.codec.decode(new byte[] { '{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}' }))
			.withMessageContaining("not UTF-8");
	}

	private static String minimal(String more) {
		return "{\"id\":\"" + ID + "\",\"type\":\"email.send\",\"args\":[]" + more + "}";
	}

	private void assertBad(String envelope, String reason) {
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> decode(envelope))
			.withMessageContaining(reason);
	}

	private Job decode(String envelope) {
		return this.codec.decode(envelope.getBytes(StandardCharsets.UTF_8));
	}

}
