package io.ojs.test.jobs;

import java.util.List;
import java.util.Objects;

import io.ojs.job.Job;
import io.ojs.job.JobState;

/**
 * What came of the jobs that were run.
 *
 * @param attempts how many attempts there were
 * @param jobs the jobs that had one, or were too late for one, as they are now, in the
 * order in which they first came to it. Arguments are decrypted
 * @param left all jobs that wait now, in the order in which they were enqueued, and what
 * they wait for
 */
public record DrainResult(int attempts, List<Job> jobs, List<LeftJob> left) {

	public DrainResult {
		jobs = List.copyOf(jobs);
		left = List.copyOf(left);
	}

	/**
	 * Those whose handler succeeded.
	 * @return jobs
	 */
	public List<Job> completed() {
		return in(JobState.COMPLETED);
	}

	/**
	 * Those that failed and wait for their next attempt.
	 * @return jobs
	 */
	public List<Job> retrying() {
		return in(JobState.RETRYABLE);
	}

	/**
	 * Those that failed for good and are dead letters.
	 * @return jobs
	 */
	public List<Job> deadLettered() {
		return in(JobState.DISCARDED).stream().filter(DrainResult::isDeadLetter).toList();
	}

	/**
	 * Those that failed for good and were let go.
	 * @return jobs
	 */
	public List<Job> discarded() {
		return in(JobState.DISCARDED).stream().filter((job) -> !isDeadLetter(job)).toList();
	}

	/**
	 * Those that were cancelled while they ran.
	 * @return jobs
	 */
	public List<Job> cancelled() {
		return in(JobState.CANCELLED);
	}

	private List<Job> in(JobState state) {
		return this.jobs.stream().filter((job) -> job.state() == state).toList();
	}

	private static boolean isDeadLetter(Job job) {
		return Objects.nonNull(job.extensions().get("dead_lettered_at"));
	}

}
