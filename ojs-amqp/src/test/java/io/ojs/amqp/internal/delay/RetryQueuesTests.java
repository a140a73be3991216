package io.ojs.amqp.internal.delay;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ladder of retry queues.
 */
class RetryQueuesTests {

	@ParameterizedTest
	@CsvSource({ "1, 125", "125, 125", "126, 187", "187, 187", "188, 250", "1000, 1000", "1001, 1500", "5000, 6000",
			"300000, 384000" })
	void delayTakesTheNarrowestRetryQueueThatIsNotBelowIt(long millis, long width) {
		assertThat(RetryQueues.widthFor(Duration.ofMillis(millis))).isEqualTo(width);
	}

	@Test
	void retryQueueIsNeverBelowItsDelayAndTheStepBelowItAlwaysIs() {
		SortedSet<Long> ladder = ladder();
		for (long millis = 1; millis < 2_000_000; millis += 37) {
			long width = RetryQueues.widthFor(Duration.ofMillis(millis));
			assertThat(width).isGreaterThanOrEqualTo(millis);
			SortedSet<Long> below = ladder.headSet(width);
			if (!below.isEmpty()) {
				assertThat(below.last()).isLessThan(millis);
			}
		}
	}

	@Test
	void anOctaveHasTwoRetryQueues() {
		List<Long> ladder = List.copyOf(ladder());
		assertThat(ladder).hasSizeGreaterThan(20);
		for (int i = 2; i < ladder.size(); i++) {
			assertThat(ladder.get(i) / (double) ladder.get(i - 2)).isBetween(1.98, 2.02);
		}
	}

	private static SortedSet<Long> ladder() {
		SortedSet<Long> ladder = new TreeSet<>();
		LongStream.iterate(1, (millis) -> millis < 3_000_000, (millis) -> millis + 31)
			.forEach((millis) -> ladder.add(RetryQueues.widthFor(Duration.ofMillis(millis))));
		return ladder;
	}

	@Test
	void delaysThatNoBrokerCanKeepTakeTheWidestRetryQueue() {
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(RetryQueues.widthFor(forever)).isEqualTo(RetryQueues.millis(forever)).isLessThan(1L << 32);
		assertThat(RetryQueues.widthFor(Duration.ofDays(30))).isGreaterThanOrEqualTo(Duration.ofDays(30).toMillis());
		assertThat(RetryQueues.widthFor(Duration.ZERO)).isEqualTo(125);
		assertThat(RetryQueues.millis(Duration.ofSeconds(-5))).isEqualTo(1);
		assertThat(RetryQueues.millis(Duration.ofMillis(1234))).isEqualTo(1234);
	}

}
