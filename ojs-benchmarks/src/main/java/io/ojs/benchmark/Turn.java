package io.ojs.benchmark;

import java.util.List;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;

/**
 * One thing that contenders do one after the other.
 *
 * @param scenario what they do
 * @param backlog with how many jobs, where the scenario has such
 * @param compared contenders that a target compares; they take part in each round
 * @param once contenders that only a table has; they follow in the first round
 */
record Turn(Scenario scenario, int backlog, List<Compared> compared, List<Contenders> once) {

	static Compared compared(Contenders contender, String... ways) {
		return new Compared(contender, List.of(ways));
	}

	/** Whether this compares what the run measures with others. */
	boolean compares(Run run) {
		return run.scenario() == this.scenario && run.backlog() == this.backlog
				&& this.compared.stream().anyMatch((each) -> each.contender() == run.contender());
	}

	/**
	 * A contender that a target compares.
	 *
	 * @param contender the contender
	 * @param ways of enqueueing that targets are about; none for all, or if the scenario
	 * has no such
	 */
	record Compared(Contenders contender, List<String> ways) {

	}

}
