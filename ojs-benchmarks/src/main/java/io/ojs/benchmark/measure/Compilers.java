package io.ojs.benchmark.measure;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What the compilers of this JVM take of one processor, from one look to the next. */
final class Compilers {

	/** What they may take when something is measured. */
	private static final double LITTLE = 0.1;

	private double taken = taken();

	private long lookedAt = System.nanoTime();

	/** Whether they have had little to do since the last look, or since the beginning. */
	boolean areQuiet() {
		double now = taken();
		long at = System.nanoTime();
		double share = (now - this.taken) / ((at - this.lookedAt) / (double) TimeUnit.SECONDS.toNanos(1));
		this.taken = now;
		this.lookedAt = at;
		return share <= LITTLE;
	}

	/** In seconds, by all of them together, so far. */
	private static double taken() {
		return ManagementFactory.getCompilationMXBean().getTotalCompilationTime() / 1e3;
	}

}
