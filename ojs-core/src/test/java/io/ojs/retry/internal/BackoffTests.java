package io.ojs.retry.internal;

import java.time.Duration;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMillis(1500));

	@ParameterizedTest
	@CsvSource({ "1, 100", "2, 200", "3, 400", "4, 800", "5, 1500", "6, 1500", "2000, 1500" })
	void pausesDoubleUpToTheLongest(int failures, long millis) {
		assertThat(BACKOFF.withoutJitter(failures)).isEqualTo(Duration.ofMillis(millis));
	}

	@ParameterizedTest
	@CsvSource({ "1, 100", "2, 200", "7, 1500" })
	void jitterShortensThemByUpToAQuarter(int failures, long millis) {
		long[] pauses = LongStream.range(0, 1000).map((i) -> BACKOFF.after(failures).toNanos()).sorted().toArray();
		assertThat(pauses[0] / 1e6).isBetween(millis * 0.75, millis * 0.76);
		assertThat(pauses[999] / 1e6).isBetween(millis * 0.99, millis * 1.0);
	}

}
