package io.ojs.amqp.internal.message;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * OJS priorities as AMQP's.
 */
class AmqpPriorityTests {

	@ParameterizedTest
	@CsvSource({ "-100, 0", "-51, 0", "-50, 1", "-20, 2", "-10, 2", "-9, 3", "-1, 3", "0, 4", "1, 5", "4, 5", "5, 6",
			"10, 7", "20, 8", "49, 8", "50, 9", "100, 9" })
	void table(int priority, int amqp) {
		assertThat(AmqpPriority.of(priority)).isEqualTo(amqp);
	}

	@Test
	@Tag("GUIDE-3-5")
	void higherIsNeverLowerAndEveryLevelIsUsed() {
		int[] levels = IntStream.rangeClosed(-100, 100).map(AmqpPriority::of).toArray();
		assertThat(levels).isSorted();
		assertThat(IntStream.of(levels).distinct()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	}

}
