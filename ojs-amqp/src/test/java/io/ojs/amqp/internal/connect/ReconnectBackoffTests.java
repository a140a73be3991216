package io.ojs.amqp.internal.connect;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The delays of AMQP binding §11.3.
 */
@Tag("AMQP-025")
class ReconnectBackoffTests {

	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 2", "3, 4", "4, 8", "5, 16", "6, 32", "7, 60", "8, 60", "2000, 60" })
	@Tag("GUIDE-6-3")
	void delaysDoubleUpToAMinuteAndAreSpreadByAQuarter(int attempt, int seconds) {
		Random random = new Random(attempt);
		double shortest = Double.MAX_VALUE;
		double longest = 0;
		for (int i = 0; i < 1000; i++) {
			double delay = ReconnectBackoff.DEFAULT.delay(attempt, random).toNanos() / 1e9;
			shortest = Math.min(shortest, delay);
			longest = Math.max(longest, delay);
		}
		assertThat(shortest).isBetween(seconds * 0.75, seconds * 0.78);
		assertThat(longest).isBetween(seconds * 1.22, seconds * 1.25);
	}

	@Test
	void withoutJitterDelaysAreExact() {
		ReconnectBackoff backoff = new ReconnectBackoff(Duration.ofMillis(10), Duration.ofMillis(35), 0);
		assertThat(backoff.delay(1, new Random())).isEqualTo(Duration.ofMillis(10));
		assertThat(backoff.delay(2, new Random())).isEqualTo(Duration.ofMillis(20));
		assertThat(backoff.delay(3, new Random())).isEqualTo(Duration.ofMillis(35));
	}

	@ParameterizedTest
	@CsvSource({ "0, 60, 0.25", "-1, 60, 0.25", "2, 1, 0.25", "1, 60, -0.1", "1, 60, 1.0", "1, 60, NaN" })
	void badValuesAreRefused(int initial, int max, double jitter) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReconnectBackoff(Duration.ofSeconds(initial), Duration.ofSeconds(max), jitter));
	}

}
