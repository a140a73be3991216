package io.ojs.internal.fetch;

import java.time.Duration;

import io.ojs.job.internal.HandledJobs;

/**
 * A request of a process of this library for jobs of a queue.
 *
 * @param queue the OJS queue
 * @param now the number of jobs that the process can begin at once
 * @param most the largest number of jobs, including those that it begins later. Only jobs
 * are fetched in advance that no limit counts, that have never begun, and that have
 * another attempt if the process dies
 * @param process the unique name of the process; at most 128 characters
 * @param lease how long leases last without a heartbeat of the process
 * @param handled the jobs that the process can run
 */
public record ProcessFetch(String queue, int now, int most, String process, Duration lease, HandledJobs handled) {

	/** The largest number of jobs of one fetch. */
	public static final int MOST = 200;

	/**
	 * Checks the numbers.
	 * @throws IllegalArgumentException if {@code most} is not between 1 and
	 * {@value #MOST}, or {@code now} is negative or larger than {@code most}
	 */
	public ProcessFetch {
		if (now < 0 || most < 1 || now > most || most > MOST) {
			throw new IllegalArgumentException("A fetch takes 1 to %d jobs, but %d were asked for, %d of them at once."
				.formatted(MOST, most, now));
		}
	}

}
