package io.ojs.retry;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Delays at the ends of what can be written down: none is ever zero, longer than the cap,
 * or an exception where a failed job is being settled.
 */
class RetryDelayExtremesTests {

	private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

	@ParameterizedTest
	@EnumSource
	void whateverThePolicyAndTheAttempt(BackoffStrategy strategy) {
		RandomGenerator random = new Random(17);
		for (Duration initial : List.of(Duration.ofNanos(1), Duration.ofMillis(1), Duration.ofDays(1), LONGEST)) {
			for (Duration cap : List.of(initial, Duration.ofHours(1), LONGEST)) {
				for (double coefficient : new double[] { 1, 2, 1e6, 1e308, Double.MAX_VALUE }) {
					for (int attempt : new int[] { 1, 2, 63, 1000, Integer.MAX_VALUE }) {
						for (boolean jitter : new boolean[] { true, false }) {
							if (cap.compareTo(initial) >= 0) {
								RetryPolicy policy = new RetryPolicy(Integer.MAX_VALUE, initial, coefficient, cap,
										jitter, List.of(), OnExhaustion.DISCARD, strategy);
								Duration delay = policy.delay(attempt, random);
								assertThat(delay).isPositive().isLessThanOrEqualTo(Duration.ofDays(36_525));
								assertThat(delay.minusMillis(1)).isLessThanOrEqualTo(cap);
							}
						}
					}
				}
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "PT0.0004S, 1", "PT0.25S, 250", "PT1.5S, 1500", "PT2.000000001S, 2000", "PT61.999S, 61999" })
	void isToTheMillisecondAndAtLeastOne(Duration initial, long millis) {
		RetryPolicy policy = RetryPolicy.DEFAULT.with(RetryOverrides.NONE.jitter(false).initialInterval(initial));
		assertThat(policy.delay(1, new Random(17))).hasMillis(millis);
	}

	@Test
	void jitterNeverReachesItsUpperBound() {
		RetryPolicy policy = RetryPolicy.DEFAULT
			.with(RetryOverrides.NONE.initialInterval(Duration.ofSeconds(1000)).maxInterval(Duration.ofDays(1)));
		assertThat(policy.delay(1, fixed(0.5))).hasSeconds(500);
		assertThat(policy.delay(1, fixed(Math.nextDown(1.5)))).isLessThanOrEqualTo(Duration.ofSeconds(1500));
	}

	@Test
	void jitterIsDrawnFromHalfToOneAndAHalf() {
		RandomGenerator asks = new RandomGenerator() {
			@Override
			public long nextLong() {
				throw new UnsupportedOperationException();
			}

			@Override
			public double nextDouble(double origin, double bound) {
				assertThat(origin).isEqualTo(0.5);
				assertThat(bound).isEqualTo(1.5);
				return 1.25;
			}
		};
		assertThat(RetryPolicy.DEFAULT.delay(1, asks)).hasMillis(1250);
	}

	private static RandomGenerator fixed(double factor) {
		return new RandomGenerator() {
			@Override
			public long nextLong() {
				throw new UnsupportedOperationException();
			}

			@Override
			public double nextDouble(double origin, double bound) {
				return factor;
			}
		};
	}

	@ParameterizedTest
	@CsvSource({ "exponential, EXPONENTIAL", "linear, LINEAR", "constant, CONSTANT", "none, CONSTANT",
			"polynomial, POLYNOMIAL" })
	void strategiesHaveTheirNames(String name, BackoffStrategy strategy) {
		assertThat(BackoffStrategy.fromWire(name)).isEqualTo(strategy);
		assertThat(BackoffStrategy.fromWire(strategy.wireName())).isEqualTo(strategy);
	}

	@Test
	void otherNamesAreRefusedWithThoseThatThereAre() {
		assertThatExceptionOfType(InvalidRetryPolicyException.class)
			.isThrownBy(() -> BackoffStrategy.fromWire("Exponential"))
			.withMessageContainingAll("backoff_strategy", "exponential, linear, constant, polynomial");
		assertThatExceptionOfType(InvalidRetryPolicyException.class).isThrownBy(() -> OnExhaustion.fromWire("keep"))
			.withMessageContainingAll("on_exhaustion", "dead_letter or discard", "keep");
	}

}
