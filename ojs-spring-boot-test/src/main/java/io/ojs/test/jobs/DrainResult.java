package io.ojs.test.jobs;

import java.util.List;
import java.util.Objects;

import io.ojs.job.Job;
import io.ojs.job.JobState;

/**
 * The results of the jobs that ran.
 *
 * @param attempts the number of attempts
 * @param jobs the jobs that had an attempt, or ended without one because they had expired
 * or had no attempt left, in their present state and in the order in which they first
 * ran; arguments are decrypted
 * @param left all jobs that wait now, in the order in which they were enqueued, with the
 * reasons
 */
public record DrainResult(int attempts, List<Job> jobs, List<LeftJob> left) {

	public DrainResult {
		jobs = List.copyOf(jobs);
		left = List.copyOf(left);
	}

	/**
	 * The jobs whose handlers succeeded.
	 * @return jobs
	 */
	public List<Job> completed() {
		return in(JobState.COMPLETED);
	}

	/**
	 * The jobs that failed and wait for their next attempt.
	 * @return jobs
	 */
	public List<Job> retrying() {
		return in(JobState.RETRYABLE);
	}

	/**
	 * The jobs that failed for good and are dead letters.
	 * @return jobs
	 */
	public List<Job> deadLettered() {
		return in(JobState.DISCARDED).stream().filter(DrainResult::isDeadLetter).toList();
	}

	/**
	 * The jobs that failed for good and are no dead letters.
	 * @return jobs
	 */
	public List<Job> discarded() {
		return in(JobState.DISCARDED).stream().filter((job) -> !isDeadLetter(job)).toList();
	}

	/**
	 * The jobs that were cancelled while they ran.
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
