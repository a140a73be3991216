package io.ojs.internal.stats;

/**
 * What became of jobs, and how long they waited and ran.
 */
public final class Numbers {

	private final long[] counts = new long[Outcome.values().length];

	private final Durations runs = Durations.none();

	private final Durations waits = Durations.none();

	/** Adds jobs with an outcome. */
	public void add(Outcome outcome, long count) {
		this.counts[outcome.ordinal()] += count;
	}

	/** Returns the number of jobs with an outcome. */
	public long count(Outcome outcome) {
		return this.counts[outcome.ordinal()];
	}

	/** Returns the number of jobs with any outcome. */
	public long count() {
		long all = 0;
		for (long count : this.counts) {
			all += count;
		}
		return all;
	}

	/** How long attempts took. */
	public Durations runs() {
		return this.runs;
	}

	/** How long jobs were available before their first attempt. */
	public Durations waits() {
		return this.waits;
	}

	/** Adds other numbers. */
	public void add(Numbers other) {
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] += other.counts[i];
		}
		this.runs.add(other.runs);
		this.waits.add(other.waits);
	}

	/**
	 * What an attempt or a decision of an operator did to a job.
	 */
	public enum Outcome {

		/** The job has completed. */
		COMPLETED,

		/** An attempt failed, and the job waits for the next one. */
		RETRIED,

		/** The job failed for good, whether it is a dead letter or not. */
		DISCARDED,

		/** The job was cancelled. */
		CANCELLED

	}

}
