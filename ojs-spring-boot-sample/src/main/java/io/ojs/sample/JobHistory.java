package io.ojs.sample;

import java.time.OffsetDateTime;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job as the job store has it.
 *
 * @param id the id of the job
 * @param type the type of the job
 * @param state its state
 * @param attempt the number of its attempts
 * @param createdAt when it was enqueued
 * @param startedAt when its last attempt started
 * @param completedAt when it ended
 * @param failures its failed attempts, the oldest first
 */
record JobHistory(String id, String type, @Nullable JobState state, int attempt, @Nullable OffsetDateTime createdAt,
		@Nullable OffsetDateTime startedAt, @Nullable OffsetDateTime completedAt, List<FailedAttempt> failures) {

	static JobHistory of(Job job) {
		return new JobHistory(job.id(), job.type(), job.state(), job.attempt(), job.createdAt(), job.startedAt(),
				job.completedAt(), job.errors().stream().map(FailedAttempt::of).toList());
	}

	/**
	 * A failed attempt.
	 *
	 * @param attempt the number of the attempt, from 1
	 * @param at when it failed
	 * @param code its OJS error code
	 * @param message the error message, for people
	 */
	record FailedAttempt(int attempt, OffsetDateTime at, String code, String message) {

		static FailedAttempt of(JobError error) {
			return new FailedAttempt(error.attempt(), error.occurredAt(), error.code(), error.message());
		}

	}

}
