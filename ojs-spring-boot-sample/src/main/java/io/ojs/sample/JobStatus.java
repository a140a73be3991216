package io.ojs.sample;

import java.time.Duration;
import java.time.Instant;

import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * The status of a job, by its latest event.
 *
 * @param id the id of the job
 * @param type the type of the job
 * @param queue the queue of the job
 * @param photoId the photo that it works on
 * @param state its state on the page
 * @param attempt the latest attempt, 0 before the first
 * @param maxAttempts the largest number of attempts, 0 while it is unknown
 * @param progress the progress of the attempt, 0.0 to 1.0
 * @param message what the handler is doing
 * @param error why the latest attempt failed
 * @param retryAt when the next attempt may begin, while the job waits for it;
 * {@code null} if that is unknown
 * @param tookMillis how long the handler took, once it has succeeded
 */
record JobStatus(String id, String type, String queue, String photoId, State state, int attempt, int maxAttempts,
		double progress, String message, @Nullable Failure error, @Nullable Instant retryAt,
		@Nullable Long tookMillis) {

	static JobStatus queued(Job job) {
		return of(job, State.QUEUED, 0, 0);
	}

	static JobStatus of(JobEvent.OfAttempt event, State state) {
		return of(event.job(), state, event.attempt(), event.maxAttempts());
	}

	/**
	 * The status from the job store, which has neither the progress nor the time of the
	 * next retry.
	 */
	static JobStatus restored(Job job) {
		JobStatus status = of(job, state(job), job.attempt(), 0);
		if (!job.errors().isEmpty()) {
			status = status.failed(job.errors().get(job.errors().size() - 1));
		}
		return (status.state == State.DONE && job.startedAt() != null && job.completedAt() != null)
				? status.after(Duration.between(job.startedAt(), job.completedAt())) : status;
	}

	private static State state(Job job) {
		if (job.state() == null) {
			return State.QUEUED;
		}
		return switch (job.state()) {
			case SCHEDULED, AVAILABLE, PENDING, HANDED_OVER -> State.QUEUED;
			case ACTIVE -> State.RUNNING;
			case RETRYABLE -> State.RETRYING;
			case COMPLETED -> State.DONE;
			case CANCELLED -> State.DISCARDED;
			// Only the job of a deleted photo is discarded without becoming a dead
			// letter.
			case DISCARDED -> State.DEAD;
		};
	}

	/**
	 * The first argument of the gallery's jobs is the photo; jobs of other producers may
	 * have none.
	 */
	private static JobStatus of(Job job, State state, int attempt, int maxAttempts) {
		String photoId = job.args().isEmpty() ? "" : String.valueOf(job.args().get(0));
		return new JobStatus(job.id(), job.type(), job.queue(), photoId, state, attempt, maxAttempts,
				(state == State.DONE) ? 1 : 0, "", null, null, null);
	}

	JobStatus at(double howFar, String doing) {
		return new JobStatus(this.id, this.type, this.queue, this.photoId, this.state, this.attempt, this.maxAttempts,
				howFar, doing, this.error, this.retryAt, this.tookMillis);
	}

	JobStatus failed(JobError with) {
		return new JobStatus(this.id, this.type, this.queue, this.photoId, this.state, this.attempt, this.maxAttempts,
				this.progress, this.message, new Failure(with.type(), with.code(), with.message()), this.retryAt,
				this.tookMillis);
	}

	JobStatus until(Instant nextAttempt) {
		return new JobStatus(this.id, this.type, this.queue, this.photoId, this.state, this.attempt, this.maxAttempts,
				this.progress, this.message, this.error, nextAttempt, this.tookMillis);
	}

	JobStatus after(Duration duration) {
		return new JobStatus(this.id, this.type, this.queue, this.photoId, this.state, this.attempt, this.maxAttempts,
				this.progress, this.message, this.error, this.retryAt, duration.toMillis());
	}

	/**
	 * The state of a job on the page.
	 */
	enum State {

		QUEUED, RUNNING, RETRYING, DONE, DEAD, DISCARDED

	}

	/**
	 * The failure of an attempt.
	 *
	 * @param type the type of the error
	 * @param code its OJS error code
	 * @param message the error message, for people
	 */
	record Failure(String type, String code, String message) {
	}

}
