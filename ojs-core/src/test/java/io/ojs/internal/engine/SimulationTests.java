package io.ojs.internal.engine;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of a few jobs, each by a seed: no job is lost, none ends twice, and each
 * ends.
 */
class SimulationTests {

	/** {@code -Dojs.simulation.seeds}: how many. */
	private static final long SEEDS = Long.getLong("ojs.simulation.seeds", 10_000);

	/** {@code -Dojs.simulation.first}: the first one. */
	private static final long FIRST = Long.getLong("ojs.simulation.first", 1);

	@Test
	void noHistoryBreaksWhatIsPromised() {
		List<String> violations = LongStream.range(FIRST, FIRST + SEEDS)
			.parallel()
			.boxed()
			.flatMap((seed) -> Simulation.run(seed).map((violation) -> "Seed " + seed + ": " + violation).stream())
			.limit(5)
			.toList();
		assertThat(violations).isEmpty();
		assertThat(Simulation.HAPPENED.keySet()).as("what happened")
			.containsExactlyInAnyOrder("jobs fetched", "jobs fetched in advance", "jobs given back that had waited",
					"jobs given back whose fetch was not answered");
		assertThat(Simulation.HAPPENED.values()).allSatisfy((times) -> assertThat(times.sum()).isPositive());
	}

}
