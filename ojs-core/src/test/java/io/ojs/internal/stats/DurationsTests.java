package io.ojs.internal.stats;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Percentiles of durations, and durations as text.
 */
class DurationsTests {

	private static Durations of(long... millis) {
		Durations durations = Durations.none();
		for (long each : millis) {
			durations.add(Durations.bucket(Duration.ofMillis(each)), 1);
		}
		return durations;
	}

	@ParameterizedTest
	@ValueSource(longs = { 2, 3, 7, 10, 64, 99, 1000, 86_400_000, 1_500_000_000 })
	void percentileIsNearlyTheDuration(long millis) {
		assertThat(of(millis).percentile(0.5)).isCloseTo(millis, withinPercentage(19));
		assertThat(of(millis).percentile(1.0)).isEqualTo(of(millis).percentile(0.01));
	}

	@ParameterizedTest
	@ValueSource(longs = { 16, 100, 1000, 60_000, 86_400_000 })
	void longDurationIsOffByNineHundredthsAtMost(long millis) {
		assertThat(of(millis).percentile(0.5)).isCloseTo(millis, withinPercentage(9.1));
	}

	@Test
	void percentileHasItsPartOfAllDurations() {
		long[] millis = new long[100];
		for (int i = 0; i < 100; i++) {
			millis[i] = (i < 95) ? 10 : 5000;
		}
		assertThat(of(millis).percentile(0.95)).isEqualTo(of(10).percentile(1));
		assertThat(of(millis).percentile(0.96)).isEqualTo(of(5000).percentile(1));
	}

	@Test
	void durationsBeyondTheRangeCount() {
		assertThat(Durations.bucket(Duration.ofMillis(-5))).isZero();
		assertThat(of(0).percentile(0.5)).isZero();
		assertThat(Durations.bucket(Duration.ofDays(5000))).isEqualTo(Durations.BUCKETS - 1);
	}

	@Test
	void textIsReadAgain() {
		Durations durations = of(0, 12, 12, 12, 5000, 2_000_000_000L);
		Durations read = Durations.none();
		read.add(durations.text());
		assertThat(read.text()).isEqualTo(durations.text()).hasSizeLessThan(40);
		read.add(durations.text());
		assertThat(read.count()).isEqualTo(12);
		Durations nothing = Durations.none();
		nothing.add("");
		assertThat(nothing.text()).isEmpty();
	}

	@Test
	void noDurationHasNoPercentile() {
		assertThatIllegalStateException().isThrownBy(() -> Durations.none().percentile(0.5));
	}

}
