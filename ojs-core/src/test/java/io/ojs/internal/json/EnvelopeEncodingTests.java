package io.ojs.internal.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bytes that are written for a job, to the letter.
 */
class EnvelopeEncodingTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private final JsonJobCodec codec = new JsonJobCodec();

	@Test
	void hasTheRequiredFieldsFirstAndLeavesOutWhatIsNotSet() {
		assertThat(encode(Job.builder(ID, "email.send", "default").build())).isEqualTo("""
				{"specversion":"1.0","id":"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f","type":"email.send",\
				"queue":"default","args":[],"attempt":0}""");
	}

	@Test
	void hasEveryFieldThatIsSet() {
		OffsetDateTime time = OffsetDateTime.parse("2026-03-15T09:30:00+02:00");
		Job job = Job.builder(ID, "email.send", "mail")
			.args(Arrays.asList("ä", null, 1, true))
			.meta(Map.of("k", "v"))
			.priority(-10)
			.timeout(Duration.ofMinutes(1))
			.scheduledAt(time)
			.expiresAt(time)
			.retry(RetryOverrides.NONE.maxAttempts(5)
				.initialInterval(Duration.ofMillis(1500))
				.onExhaustion(OnExhaustion.DISCARD))
			.state(JobState.COMPLETED)
			.attempt(1)
			.createdAt(time)
			.enqueuedAt(time)
			.startedAt(time)
			.completedAt(time)
			.result(List.of("done"))
			.errors(List.of(new JobError("a.b", "HANDLER_ERROR", "no", 1, time, List.of("frame"), Map.of("d", 1))))
			.extensions(Map.of("x", 1))
			.build();
		assertThat(encode(job)).isEqualTo("""
				{"specversion":"1.0","id":"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f","type":"email.send",\
				"queue":"mail","args":["ä",null,1,true],"meta":{"k":"v"},"priority":-10,"timeout":60,\
				"scheduled_at":"T","expires_at":"T","retry":{"max_attempts":5,"initial_interval":"PT1.5S",\
				"on_exhaustion":"discard"},"state":"completed","attempt":1,"created_at":"T","enqueued_at":"T",\
				"started_at":"T","completed_at":"T","result":["done"],"errors":[{"type":"a.b",\
				"code":"HANDLER_ERROR","message":"no","attempt":1,"occurred_at":"T","backtrace":["frame"],\
				"details":{"d":1}}],"x":1}""".replace("\"T\"", "\"2026-03-15T09:30:00.000+02:00\""));
		assertThat(this.codec.decode(this.codec.encode(job))).isEqualTo(job);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "-1", "9007199254740993", "-9223372036854775808", "18446744073709551616",
			"123456789012345678901234567890123456789012345678901234567890", "1.10", "0.1", "1.0", "1E+400", "1E-400",
			"3.14159265358979323846264338327950288419716939937510", "100000000000000000000.000000001" })
	void keepsNumbersToTheLastDigit(String number) {
		String envelope = minimal("\"args\":[" + number + "]");
		Job job = decode(envelope);
		assertThat(new BigDecimal(job.args().get(0).toString())).isEqualTo(new BigDecimal(number));
		assertThat(encode(job)).contains("\"args\":[" + number + "]");
	}

	@Test
	void readsWholeNumbersAsTheSmallestTypeThatHoldsThem() {
		assertThat(decode(minimal("\"args\":[1,2147483648,9223372036854775808,1.5]")).args()).containsExactly(1,
				2_147_483_648L, new BigInteger("9223372036854775808"), new BigDecimal("1.5"));
	}

	@Test
	void keepsUnknownFieldsThatAreNullOrEmpty() {
		String envelope = minimal("\"args\":[],\"retry\":{\"y\":null},\"x_null\":null,\"x_list\":[],\"x_map\":{}");
		assertThat(encode(decode(envelope))).contains("\"x_null\":null", "\"x_list\":[]", "\"x_map\":{}",
				"\"retry\":{\"y\":null}");
	}

	@Test
	void keepsTheOrderOfObjects() {
		String meta = "\"meta\":{\"z\":1,\"a\":2,\"m\":{\"y\":1,\"b\":2}}";
		assertThat(encode(decode(minimal("\"args\":[]," + meta)))).contains(meta);
	}

	@ParameterizedTest
	@ValueSource(strings = { "💌", "\u0000", "\"\\/", "\u2028\u2029", "\uFEFF", "e\u0301" })
	void keepsTextToTheLastCharacter(String text) {
		Job job = Job.builder(ID, "a.b", "default").args(List.of(text)).meta(Map.of(text, text)).build();
		assertThat(this.codec.decode(this.codec.encode(job))).isEqualTo(job);
	}

	private static String minimal(String more) {
		return "{\"specversion\":\"1.0\",\"id\":\"" + ID + "\",\"type\":\"a.b\",\"queue\":\"default\"," + more + "}";
	}

	private String encode(Job job) {
		return new String(this.codec.encode(job), StandardCharsets.UTF_8);
	}

	private Job decode(String envelope) {
		return this.codec.decode(envelope.getBytes(StandardCharsets.UTF_8));
	}

}
