package io.ojs.store.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many dead letters {@link Pruner} leaves to each queue.
 */
class PrunerTests {

	private final Map<String, Long> kept = new HashMap<>();

	@Test
	void asksEachQueueHowManyDeadLettersItKeeps() {
		prune((queue) -> queue.equals("small") ? 3 : 10_000);
		assertThat(this.kept).containsExactlyInAnyOrderEntriesOf(Map.of("small", 3L, "large", 10_000L));
	}

	@Test
	void zeroIsAnyNumber() {
		prune((queue) -> 0);
		assertThat(this.kept).containsEntry("small", Long.MAX_VALUE).containsEntry("large", Long.MAX_VALUE);
	}

	private void prune(ToLongFunction<String> maxDeadLetters) {
		new Pruner(new TwoQueues(), Clock.systemUTC(), maxDeadLetters, Duration.ofDays(7)).prune();
	}

	/** Has nothing to forget, and asks all the same. */
	private final class TwoQueues implements RetentionStore {

		@Override
		public int prune(Instant now, int limit) {
			return 0;
		}

		@Override
		public int trimDeadLetters(ToLongFunction<String> keep, int limit) {
			PrunerTests.this.kept.put("small", keep.applyAsLong("small"));
			PrunerTests.this.kept.put("large", keep.applyAsLong("large"));
			return 0;
		}

		@Override
		public int pruneEvents(Instant before, int limit) {
			return 0;
		}

	}

}
