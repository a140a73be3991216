package io.ojs.boot.it;

import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertAll;

/**
 * Bad input to enqueue fails at once, names the field, and publishes nothing.
 */
class InvalidRequestTests extends BrokerTest {

	@Test
	void badRequestNamesItsFieldAndPublishesNothing() {
		try (Application application = application().start()) {
			assertAll(badRequests().map((bad) -> () -> assertRefused(application, bad)));
			assertThat(application.events()).isEmpty();
		}
		assertThat(client().exists("ojs.queue.email")).isFalse();
	}

	private static void assertRefused(Application application, Bad bad) {
		JobRequest good = JobRequest.of("email.send").queue("email");
		assertThatExceptionOfType(InvalidJobException.class).as("%s %s", bad.field(), bad.value())
			.isThrownBy(() -> application.ojs().enqueueAll(List.of(good, bad.request().get())))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(bad.field()))
			.withMessageContaining("'" + bad.field() + "'")
			.withMessageContaining(bad.value());
		assertThatExceptionOfType(InvalidJobException.class).as("%s %s", bad.field(), bad.value())
			.isThrownBy(() -> application.ojs().enqueueAsync(bad.request().get()));
	}

	private record Bad(String field, String value, Supplier<JobRequest> request) {
	}

	private static Stream<Bad> badRequests() {
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

	private static Bad bad(String field, String value, Supplier<JobRequest> request) {
		return new Bad(field, value, request);
	}

}
