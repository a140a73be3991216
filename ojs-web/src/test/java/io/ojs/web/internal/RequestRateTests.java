package io.ojs.web.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.web.HttpFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The limit on requests in a second, and its headers.
 */
class RequestRateTests {

	private Instant now = Instant.parse("2026-03-15T09:30:00.250Z");

	private final RequestRate rate = rate(3);

	@Test
	void headersCountDown() {
		IntStream.of(2, 1, 0)
			.forEach((left) -> assertThat(this.rate.count()).containsEntry("X-RateLimit-Limit", "3")
				.containsEntry("X-RateLimit-Remaining", Integer.toString(left))
				.containsEntry("X-RateLimit-Reset", Long.toString(this.now.getEpochSecond() + 1)));
	}

	@Test
	void requestsAboveTheLimitAreRefusedUntilTheSecondIsOver() {
		use(3);
		refused();
		advance(Duration.ofMillis(999));
		refused();
		advance(Duration.ofMillis(1));
		use(3);
		refused();
	}

	@Test
	void unusedRequestsAreNotCarriedOver() {
		use(1);
		advance(Duration.ofMinutes(1));
		use(3);
		refused();
	}

	@Test
	void clockThatIsSetBackStartsANewSecond() {
		use(3);
		advance(Duration.ofHours(-1));
		use(3);
		refused();
	}

	@Test
	void zeroIsNoLimit() {
		RequestRate unlimited = rate(0);
		assertThat(IntStream.range(0, 10_000).mapToObj((i) -> unlimited.count()).distinct()).containsExactly(Map.of());
	}

	private RequestRate rate(int perSecond) {
		InstantSource source = () -> this.now;
		return new RequestRate(perSecond, source.withZone(ZoneOffset.UTC));
	}

	private void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

	private void use(int requests) {
		IntStream.range(0, requests).forEach((i) -> this.rate.count());
	}

	private void refused() {
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(this.rate::count).satisfies((ex) -> {
			assertThat(ex.error().status()).isEqualTo(429);
			assertThat(ex.error().retryable()).isTrue();
			assertThat(ex.error().headers()).containsEntry("Retry-After", "1")
				.containsEntry("X-RateLimit-Limit", "3")
				.containsEntry("X-RateLimit-Remaining", "0");
		});
	}

}
