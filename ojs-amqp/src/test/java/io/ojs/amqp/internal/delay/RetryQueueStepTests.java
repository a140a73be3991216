package io.ojs.amqp.internal.delay;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a message can be held back: by the one before it in the retry queue, which is
 * at most the step from the retry queue below.
 */
class RetryQueueStepTests {

	private static final long BEFORE_RABBITMQ_3_11 = 1L << 32;

	private final List<Long> ladder = RetryQueues.from(Duration.ZERO);

	@Test
	@Tag("PLAY-4-2")
	void ladderHasTwoRetryQueuesForEachOctaveFromOneEighthOfASecondToFortyEightDays() {
		assertThat(this.ladder).startsWith(125L, 187L, 250L, 375L, 500L, 750L, 1000L, 1500L, 2000L, 3000L)
			.endsWith(125L << 25)
			.hasSize(51)
			.isSorted()
			.doesNotHaveDuplicates()
			.allMatch((width) -> width < BEFORE_RABBITMQ_3_11);
	}

	@ParameterizedTest
	@CsvSource({ "1, 125", "125, 125", "126, 187", "300000, 384000", "999999999999, 4194304000" })
	void ladderFromADelayBeginsWithItsRetryQueue(long millis, long width) {
		List<Long> from = RetryQueues.from(Duration.ofMillis(millis));
		assertThat(from).first().isEqualTo(width).isEqualTo(RetryQueues.widthFor(Duration.ofMillis(millis)));
		assertThat(from).isEqualTo(this.ladder.subList(this.ladder.indexOf(width), this.ladder.size()));
	}

	@Test
	@Tag("AMQP-017")
	void anyDelayTakesARetryQueueOfTheLadderAndIsHeldBackByLessThanHalfOfItself() {
		Random random = new Random(17);
		for (int i = 0; i < 20_000; i++) {
			long millis = 1 + (long) Math.pow(2, random.nextDouble() * 31.9);
			long width = RetryQueues.widthFor(Duration.ofMillis(millis));
			assertThat(this.ladder).contains(width);
			assertThat(width).isGreaterThanOrEqualTo(millis);
			if (width > 125) {
				long below = this.ladder.get(this.ladder.indexOf(width) - 1);
				// The neighbour in front waits at most as long as the retry queue is
				// wide.
				assertThat(width - millis).isLessThan(width - below);
				assertThat(width - millis).isLessThan(millis / 2 + 2);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.000000001S", "PT-2562047788015215H-30M-8S" })
	void delayOfNothingOrLessIsTheShortestThereIs(Duration delay) {
		assertThat(RetryQueues.widthFor(delay)).isEqualTo(125);
		assertThat(RetryQueues.millis(delay)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.0010009S", "PT0.001S" })
	void delayIsInWholeMilliseconds(Duration delay) {
		assertThat(RetryQueues.millis(delay)).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT4194304S", "PT4194304.001S", "P49D", "P3650D", "PT9223372036854775807S" })
	void delayBeyondTheWidestRetryQueueIsAsLongAsThat(Duration delay) {
		assertThat(RetryQueues.widthFor(delay)).isEqualTo(125L << 25);
		assertThat(RetryQueues.millis(delay)).isEqualTo(125L << 25);
	}

}
