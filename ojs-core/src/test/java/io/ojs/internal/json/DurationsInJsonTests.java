package io.ojs.internal.json;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Durations in JSON are those of ISO 8601 (OJS Retry §4).
 */
class DurationsInJsonTests {

	private final JsonJobCodec codec = new JsonJobCodec();

	@ParameterizedTest
	@CsvSource({ "PT0.5S, PT0.5S", "PT1S, PT1S", "PT90S, PT1M30S", "PT15M, PT15M", "PT24H, PT24H", "P1D, PT24H",
			"P1DT12H, PT36H", "P2W, PT336H", "P1W1D, PT192H", "pt1s, PT1S" })
	void areReadAsTheyAreMeant(String text, Duration expected) {
		assertThat(decode("\"retry\":{\"max_interval\":\"" + text + "\"}").maxInterval()).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.5S", "PT1S", "PT1M30S", "PT24H", "PT2562047788015215H30M7.999999999S" })
	void areWrittenSoThatTheyAreReadBack(Duration duration) {
		Job job = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "default")
			.retry(RetryOverrides.NONE.maxInterval(duration))
			.build();
		assertThat(this.codec.decode(this.codec.encode(job)).retry()).isEqualTo(job.retry());
	}

	private RetryOverrides decode(String retry) {
		String envelope = "{\"id\":\"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f\",\"type\":\"a.b\",\"args\":[]," + retry
				+ "}";
		RetryOverrides decoded = this.codec.decode(envelope.getBytes(StandardCharsets.UTF_8)).retry();
		assertThat(decoded).isNotNull();
		return decoded;
	}

}
