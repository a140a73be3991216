package io.ojs.benchmark.measure;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What the compilers of this JVM take of one processor, from one look to the next. */
final class Compilers {

	/** What they may take when something is measured. */
	private static final double LITTLE = 0.1;

	/** Milliseconds that all of them have taken so far. */
	private final LongSupplier work;

	private final LongSupplier nanoTime;

	private long worked;

	private long lookedAt;

	Compilers() {
		this(ManagementFactory.getCompilationMXBean()::getTotalCompilationTime, System::nanoTime);
	}

	Compilers(LongSupplier work, LongSupplier nanoTime) {
		this.work = work;
		this.nanoTime = nanoTime;
		this.worked = work.getAsLong();
		this.lookedAt = nanoTime.getAsLong();
	}

	/** Whether they have had little to do since the last look, or since the beginning. */
	boolean areQuiet() {
		long now = this.work.getAsLong();
		long at = this.nanoTime.getAsLong();
		double share = TimeUnit.MILLISECONDS.toNanos(now - this.worked) / (double) (at - this.lookedAt);
		this.worked = now;
		this.lookedAt = at;
		return share <= LITTLE;
	}

}
