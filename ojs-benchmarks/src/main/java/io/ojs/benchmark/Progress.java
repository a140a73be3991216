package io.ojs.benchmark;

import java.time.Duration;
import java.util.List;

import io.ojs.benchmark.measure.Run;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells how far it is, and how long it may still take. */
final class Progress {

	private static final Logger logger = LoggerFactory.getLogger(Progress.class);

	private final long begin = System.nanoTime();

	private final int all;

	private final double expected;

	private int begun;

	private double expectedOfEnded;

	private double expectedOfLast;

	Progress(List<Run> runs) {
		this.all = runs.size();
		this.expected = runs.stream().mapToDouble(Estimate::of).sum();
	}

	/** The next one begins, so the one before has ended. */
	void next(Run run) {
		this.expectedOfEnded += this.expectedOfLast;
		this.expectedOfLast = Estimate.of(run);
		this.begun++;
		logger.info("{} of {}, about {} min left: {}", this.begun, this.all, Math.round(left() / 60), Plan.text(run));
	}

	/** In seconds: what was expected, made longer or shorter as all before was. */
	private double left() {
		double rest = this.expected - this.expectedOfEnded;
		if (this.expectedOfEnded == 0) {
			return rest;
		}
		double took = (System.nanoTime() - this.begin) / (double) Duration.ofSeconds(1).toNanos();
		return rest * took / this.expectedOfEnded;
	}

}
