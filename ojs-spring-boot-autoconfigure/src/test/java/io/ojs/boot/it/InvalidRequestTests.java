package io.ojs.boot.it;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Bad input to enqueue fails at once, names the field, and publishes nothing.
 */
class InvalidRequestTests extends BrokerTest {

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource("badRequests")
	void badRequestNamesItsFieldAndPublishesNothing(String field, String value, Supplier<JobRequest> request) {
		try (Application application = application().start()) {
			JobRequest good = JobRequest.of("email.send").queue("email");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> application.ojs().enqueueAll(List.of(good, request.get())))
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field))
				.withMessageContaining("'" + field + "'")
				.withMessageContaining(value);
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> application.ojs().enqueueAsync(request.get()));
			assertThat(application.events()).isEmpty();
		}
		assertThat(client().exists("ojs.queue.email")).isFalse();
	}

	static Stream<Arguments> badRequests() {
		return Stream.of(bad("type", "Email Send", () -> JobRequest.of("Email Send")),
				bad("type", "\"\"", () -> JobRequest.of("")),
				bad("queue", "E-Mail", () -> JobRequest.of("email.send").queue("E-Mail")),
				bad("queue", "dlx.email", () -> JobRequest.of("email.send").queue("dlx.email")),
				bad("priority", "101", () -> JobRequest.of("email.send").priority(101)),
				bad("id", "17", () -> JobRequest.of("email.send").id("17")),
				bad("timeout", "PT0.5S", () -> JobRequest.of("email.send").timeout(Duration.ofMillis(500))),
				bad("args[1]", "InputStream", () -> JobRequest.of("email.send", "a", InputStream.nullInputStream())),
				bad("args[0].rate", "NaN", () -> JobRequest.of("email.send", Map.of("rate", Double.NaN))),
				bad("args", "1048576", () -> JobRequest.of("email.send", "x".repeat(1024 * 1024))),
				bad("meta.stream", "InputStream",
						() -> JobRequest.of("email.send").meta("stream", InputStream.nullInputStream())),
				bad("scheduled_at", "2026-03-15T09:30:00",
						() -> JobRequest.of("email.send").scheduledAt("2026-03-15T09:30:00")),
				bad("expires_at", "tomorrow", () -> JobRequest.of("email.send").expiresAt("tomorrow")),
				bad("retry.max_attempts", "-1",
						() -> JobRequest.of("email.send").retry((retry) -> retry.maxAttempts(-1))),
				bad("retry.max_interval", "PT0.001S",
						() -> JobRequest.of("email.send").retry((retry) -> retry.maxInterval(Duration.ofMillis(1)))));
	}

	private static Arguments bad(String field, String value, Supplier<JobRequest> request) {
		return arguments(field, value, request);
	}

}
