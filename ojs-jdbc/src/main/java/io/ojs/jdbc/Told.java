package io.ojs.jdbc;

import java.time.Duration;

import io.ojs.event.JobTransition;
import io.ojs.event.Transition;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * What listeners are to be told of a job, once it is committed.
 *
 * @param transition what has become of it
 * @param row the job
 * @param attempt the attempt
 * @param error what went wrong
 * @param took how long the attempt took
 */
record Told(Transition transition, JobRow row, int attempt, @Nullable JobError error, Duration took) {

	JobTransition with(Job job) {
		JobTransition told = new JobTransition(this.transition, job, this.attempt, this.row.maxAttempts)
			.took(this.took);
		return (this.error != null) ? told.error(this.error) : told;
	}

}
