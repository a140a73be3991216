package io.ojs.sample;

import java.time.OffsetDateTime;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What the job store knows of a job.
 *
 * @param id the id of the job
 * @param type what it does
 * @param state where it is in its life
 * @param attempt how often it was started
 * @param createdAt when it was enqueued
 * @param startedAt when it was last started
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
	 * An attempt that failed.
	 *
	 * @param attempt which one, from 1
	 * @param at when it failed
	 * @param code its OJS error code
	 * @param message what a person should read
	 */
	record FailedAttempt(int attempt, OffsetDateTime at, String code, String message) {

		static FailedAttempt of(JobError error) {
			return new FailedAttempt(error.attempt(), error.occurredAt(), error.code(), error.message());
		}

	}

}
