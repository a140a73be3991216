package io.ojs.benchmark;

import java.util.List;
import java.util.TreeSet;

import io.ojs.benchmark.measure.Run;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EstimateTests {

	private final List<Run> full = Plan.full(3, 3,
			new TreeSet<>(List.of(String.valueOf(Runtime.version().feature()), Plan.OTHER_JAVA)));

	@Test
	void aFullRunTakesAboutAnHourAndAQuarter() {
		assertThat(this.full.stream().mapToDouble(Estimate::of).sum() / 60).isBetween(60.0, 75.0);
	}

	@Test
	void theTableHasTheRoundsOfEachContender() {
		assertThat(Estimate.table(this.full, 180)).contains("| scenario | contender | mode | rounds | minutes |")
			.containsPattern("\\| throughput \\| db-scheduler \\| quorum queue, Java \\d+ \\| 3 \\| \\d\\.\\d \\|")
			.containsPattern("\\| throughput \\| Quartz \\| quorum queue, Java \\d+ \\| 1 \\| ")
			.contains("| micro-benchmarks |  |  | 1 | 3.0 |")
			.containsPattern("\\| all \\|  \\|  \\| %d \\|".formatted(this.full.size() + 1));
		assertThat(Estimate.table(this.full, 0)).doesNotContain("micro-benchmarks");
	}

}
