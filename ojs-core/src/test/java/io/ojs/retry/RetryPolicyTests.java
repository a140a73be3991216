package io.ojs.retry;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Delays and decisions, against the tables of OJS Retry.
 */
class RetryPolicyTests {

	private static final RandomGenerator RANDOM = new Random(17);

	private static final RetryPolicy STEADY = RetryPolicy.DEFAULT.with(RetryOverrides.NONE.jitter(false));

	@Test
	void defaultsAreThoseOfTheDocument() {
		assertThat(RetryPolicy.DEFAULT).isEqualTo(new RetryPolicy(3, Duration.ofSeconds(1), 2.0, Duration.ofMinutes(5),
				true, List.of(), OnExhaustion.DEAD_LETTER, BackoffStrategy.EXPONENTIAL));
	}

	@ParameterizedTest
	@CsvSource({ "CONSTANT, PT5S, 2.0, 5 5 5 5", "LINEAR, PT5S, 2.0, 5 10 15 20",
			"EXPONENTIAL, PT1S, 2.0, 1 2 4 8 16 32 64 128 256 300 300", "POLYNOMIAL, PT1S, 4.0, 1 16 81 256 300" })
	void strategies(BackoffStrategy strategy, Duration initial, double coefficient, String seconds) {
		RetryPolicy policy = STEADY.with(
				RetryOverrides.NONE.backoffStrategy(strategy).initialInterval(initial).backoffCoefficient(coefficient));
		List<Long> expected = Stream.of(seconds.split(" ")).map(Long::valueOf).toList();
		assertThat(
				IntStream.rangeClosed(1, expected.size()).mapToObj((retry) -> policy.delay(retry, RANDOM).toSeconds()))
			.containsExactlyElementsOf(expected);
	}

	@Test
	void jitterSpreadsADelayFromHalfToOneAndAHalfAndTheCapHoldsAfterIt() {
		RetryPolicy policy = RetryPolicy.DEFAULT
			.with(RetryOverrides.NONE.initialInterval(Duration.ofSeconds(10)).maxInterval(Duration.ofSeconds(20)));
		List<Long> first = IntStream.range(0, 2000).mapToObj((i) -> policy.delay(1, RANDOM).toMillis()).toList();
		assertThat(first).allMatch((delay) -> delay >= 5000 && delay <= 15_000)
			.anyMatch((delay) -> delay < 5500)
			.anyMatch((delay) -> delay > 14_500);
		List<Long> capped = IntStream.range(0, 2000).mapToObj((i) -> policy.delay(9, RANDOM).toMillis()).toList();
		assertThat(capped).allMatch((delay) -> delay >= 10_000 && delay <= 20_000).contains(20_000L);
	}

	@Test
	void absurdPoliciesOverflowNowhere() {
		RetryPolicy policy = STEADY.with(RetryOverrides.NONE.backoffCoefficient(1e308)
			.initialInterval(Duration.ofDays(100_000_000))
			.maxInterval(Duration.ofSeconds(Long.MAX_VALUE)));
		assertThat(policy.delay(Integer.MAX_VALUE, RANDOM)).isPositive();
		assertThat(STEADY.with(RetryOverrides.NONE.initialInterval(Duration.ofNanos(1))).delay(1, RANDOM)).hasMillis(1);
	}

	@ParameterizedTest
	@CsvSource({ "validation.payload_invalid, true", "validation.schema_error, false", "auth.token_expired, true",
			"auth.forbidden, true", "auth, false", "authority.gone, false", "external.auth.failure, false" })
	void errorsThatAreNotRetriedAreNamedExactlyOrByPrefix(String type, boolean matches) {
		RetryPolicy policy = STEADY
			.with(RetryOverrides.NONE.nonRetryableErrors("validation.payload_invalid", "auth.*"));
		assertThat(policy.isNonRetryable(type)).isEqualTo(matches);
	}

	@Test
	void layerChangesWhatItSetsAndNothingElse() {
		RetryPolicy merged = RetryPolicy.DEFAULT
			.with(RetryOverrides.NONE.maxAttempts(10).onExhaustion(OnExhaustion.DISCARD));
		assertThat(merged).isEqualTo(new RetryPolicy(10, Duration.ofSeconds(1), 2.0, Duration.ofMinutes(5), true,
				List.of(), OnExhaustion.DISCARD, BackoffStrategy.EXPONENTIAL));
		assertThat(merged.with(null)).isSameAs(merged);
		assertThat(merged.with(RetryOverrides.NONE)).isEqualTo(merged);
	}

	@ParameterizedTest
	@MethodSource("badOverrides")
	void badPolicyNamesItsField(String field, UnaryOperator<RetryOverrides> change) {
		assertThatExceptionOfType(InvalidRetryPolicyException.class)
			.isThrownBy(() -> RetryPolicy.DEFAULT.with(change.apply(RetryOverrides.NONE)))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	static Stream<Arguments> badOverrides() {
		return Stream.of(bad("max_attempts", (retry) -> retry.maxAttempts(-1)),
				bad("initial_interval", (retry) -> retry.initialInterval(Duration.ZERO)),
				bad("backoff_coefficient", (retry) -> retry.backoffCoefficient(0.99)),
				bad("backoff_coefficient", (retry) -> retry.backoffCoefficient(Double.NaN)),
				bad("backoff_coefficient", (retry) -> retry.backoffCoefficient(Double.POSITIVE_INFINITY)),
				bad("max_interval", (retry) -> retry.maxInterval(Duration.ofMillis(999))),
				bad("max_interval", (retry) -> retry.initialInterval(Duration.ofHours(1))));
	}

	private static Arguments bad(String field, UnaryOperator<RetryOverrides> change) {
		return arguments(field, change);
	}

}
