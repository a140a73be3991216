package io.ojs.amqp.internal.message;

import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.handler.internal.JobFailure;
import io.ojs.job.JobError;
import io.ojs.retry.FailureResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Headers that fill a frame, and an error that has to go in as well.
 */
class FullFrameTests {

	private static final int FRAME = 131_072;

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 30, 200, 800, 1_200, 2_000 })
	void retryKeepsTheHeadersOfTheJobAndTheErrorIfThereIsRoom(int free) {
		BasicProperties received = full(free, Map.of("x-ojs-attempt", 1, "x-kept", "kept"));
		BasicProperties retry = Republishing.forRetry(received, 2, error("m".repeat(5_000)), 250, FRAME);
		assertThat(retry.getHeaders()).containsEntry("x-ojs-attempt", 2)
			.containsEntry("x-filler", received.getHeaders().get("x-filler"));
		assertThat(retry.getHeaders().containsKey("x-ojs-error-message")).isEqualTo(free >= 1_200);
		assertThat(HeaderFrame.size(retry)).isLessThanOrEqualTo((free >= 30) ? FRAME : FRAME + 30);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1_000, 2_300, 10_000 })
	void deadLetterHasItsReasonAndSaysWhatWasLeftOutForIt(int free) {
		BasicProperties received = full(free, Map.of("x-kept", "kept", "x-nothing", List.of()));
		BasicProperties dead = Republishing.forDeadLetter(received, failure("m".repeat(5_000)), "q", FRAME);
		assertThat(HeaderFrame.size(dead)).isLessThanOrEqualTo(FRAME);
		assertThat(dead.getHeaders()).containsKeys("x-ojs-error-code", "x-ojs-error-type", "x-kept", "x-nothing");
		assertThat(dead.getHeaders().containsKey("x-filler")).isEqualTo(free >= 2_300);
		assertThat(dead.getHeaders().get("x-ojs-error-message").toString()).startsWith("mmm")
			.endsWith((free >= 2_300) ? "m…"
					: " (Headers left out, since one frame has no room for them and this: 1, the longest x-filler.)");
	}

	@Test
	void asManyHeadersAsNecessaryAreLeftOutAndNoMore() {
		Map<String, Object> headers = new HashMap<>();
		for (int i = 0; i < 100; i++) {
			headers.put("語".repeat(80) + i, "x".repeat(1_000 + i));
		}
		headers.put("x-nothing", null);
		BasicProperties dead = Republishing.forDeadLetter(full(0, headers), failure("語".repeat(5_000)), "q", FRAME);
		assertThat(HeaderFrame.size(dead)).isBetween(FRAME - 3_000, FRAME);
		assertThat(dead.getHeaders()).containsKey("x-nothing").hasSizeGreaterThan(95);
	}

	@Test
	void nothingIsLeftOutWhereThereIsNoLimit() {
		BasicProperties received = full(0, Map.of());
		assertThat(Republishing.forDeadLetter(received, failure("boom"), "q", 0).getHeaders()).containsKey("x-filler");
		assertThat(Republishing.forRetry(received, 2, error("boom"), 250, 0).getHeaders())
			.containsEntry("x-ojs-error-message", "boom");
	}

	@Test
	void frameThatIsTooLongIsRefused() {
		HeaderFrame.check(full(0, Map.of()), FRAME);
		HeaderFrame.check(full(-1, Map.of()), 0);
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderFrame.check(full(-1, Map.of()), FRAME))
			.withMessageContaining("131073 bytes");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> HeaderFrame.check(new BasicProperties.Builder().type("t".repeat(256)).build(), 0));
	}

	private static BasicProperties full(int free, Map<String, Object> more) {
		Map<String, Object> headers = new HashMap<>(more);
		headers.put("x-filler", "");
		BasicProperties empty = new BasicProperties.Builder().contentType("application/json")
			.deliveryMode(2)
			.expiration("250")
			.headers(headers)
			.build();
		headers.put("x-filler", "f".repeat(FRAME - free - HeaderFrame.size(empty)));
		return empty.builder().headers(Collections.unmodifiableMap(headers)).build();
	}

	private static JobFailure failure(String message) {
		return new JobFailure(error(message), FailureResponse.RETRY, "0123456789abcdef");
	}

	private static JobError error(String message) {
		return new JobError("a.b", JobError.HANDLER_ERROR, message, 1, OffsetDateTime.parse("2026-03-15T09:30:00Z"),
				List.of(), Map.of());
	}

}
