package io.ojs.amqp.delay;

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
 * The ladder of retry lanes.
 */
class LanesTests {

	@ParameterizedTest
	@CsvSource({ "1, 125", "125, 125", "126, 187", "187, 187", "188, 250", "1000, 1000", "1001, 1500", "5000, 6000",
			"300000, 384000" })
	void delayTakesTheNarrowestLaneThatIsNotBelowIt(long millis, long lane) {
		assertThat(Lanes.laneFor(Duration.ofMillis(millis))).isEqualTo(lane);
	}

	@Test
	void laneIsNeverBelowItsDelayAndTheStepBelowItAlwaysIs() {
		SortedSet<Long> ladder = ladder();
		for (long millis = 1; millis < 2_000_000; millis += 37) {
			long lane = Lanes.laneFor(Duration.ofMillis(millis));
			assertThat(lane).isGreaterThanOrEqualTo(millis);
			SortedSet<Long> below = ladder.headSet(lane);
			if (!below.isEmpty()) {
				assertThat(below.last()).isLessThan(millis);
			}
		}
	}

	@Test
	void anOctaveHasTwoLanes() {
		List<Long> ladder = List.copyOf(ladder());
		assertThat(ladder).hasSizeGreaterThan(20);
		for (int i = 2; i < ladder.size(); i++) {
			assertThat(ladder.get(i) / (double) ladder.get(i - 2)).isBetween(1.98, 2.02);
		}
	}

	private static SortedSet<Long> ladder() {
		SortedSet<Long> ladder = new TreeSet<>();
		LongStream.iterate(1, (millis) -> millis < 3_000_000, (millis) -> millis + 31)
			.forEach((millis) -> ladder.add(Lanes.laneFor(Duration.ofMillis(millis))));
		return ladder;
	}

	@Test
	void delaysThatNoBrokerCanKeepTakeTheWidestLane() {
		Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
		assertThat(Lanes.laneFor(forever)).isEqualTo(Lanes.millis(forever)).isLessThan(1L << 32);
		assertThat(Lanes.laneFor(Duration.ofDays(30))).isGreaterThanOrEqualTo(Duration.ofDays(30).toMillis());
		assertThat(Lanes.laneFor(Duration.ZERO)).isEqualTo(125);
		assertThat(Lanes.millis(Duration.ofSeconds(-5))).isEqualTo(1);
		assertThat(Lanes.millis(Duration.ofMillis(1234))).isEqualTo(1234);
	}

}
