package io.ojs.fetch;

import java.time.Duration;

import io.ojs.job.HandledJobs;

/**
 * What a process of this library wants to run.
 *
 * @param queue the OJS queue
 * @param now how many jobs it can begin at once
 * @param most how many jobs it wants at most, those included that it begins later. It
 * gets in advance only jobs that no limit counts, that were never begun before, and that
 * have another attempt if the process dies
 * @param process what the process calls itself; at most 128 characters
 * @param lease how long its leases last without the process being seen
 * @param handled which jobs it can run
 */
public record ProcessFetch(String queue, int now, int most, String process, Duration lease, HandledJobs handled) {

	/** The most jobs that one fetch takes. */
	public static final int MOST = 200;

	/**
	 * Checks the counts.
	 * @throws IllegalArgumentException if it wants no job, too many, or more at once than
	 * at most
	 */
	public ProcessFetch {
		if (now < 0 || most < 1 || now > most || most > MOST) {
			throw new IllegalArgumentException("A fetch takes 1 to %d jobs, but %d were asked for, %d of them at once."
				.formatted(MOST, most, now));
		}
	}

}
