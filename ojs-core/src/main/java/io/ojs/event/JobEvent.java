package io.ojs.event;

import java.time.Duration;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * An event of a job (OJS Events). It is published after it has happened: a
 * {@link Completed} job has been acknowledged and, with a job store, is recorded as
 * completed. The events of an attempt are published in order. Other threads and processes
 * take part, so the next attempt can begin before the end of the last one is published,
 * and {@link Started} can be published before {@link Enqueued}.
 * <p>
 * A minor version may add kinds of events: a {@code switch} over them needs a
 * {@code default}.
 */
public sealed interface JobEvent {

	/**
	 * The job.
	 * @return the job as it was enqueued
	 */
	Job job();

	/**
	 * The name of the event in OJS Events.
	 * @return the name, such as {@code job.completed}
	 */
	String name();

	/**
	 * An event of an attempt.
	 */
	sealed interface OfAttempt extends JobEvent {

		/**
		 * The number of the attempt.
		 * @return 1 for the first
		 */
		int attempt();

		/**
		 * How often the job may be executed in all.
		 * @return 1 or more
		 */
		int maxAttempts();

	}

	/**
	 * What happens to the job after a failure: a retry, or an end without success.
	 */
	sealed interface OfFailure extends OfAttempt {

		/**
		 * The error.
		 * @return the error
		 */
		JobError error();

	}

	/**
	 * The job is safe and waits for its time: the broker has it, or the job store has it
	 * and the transaction is committed. With a job store, {@link Enqueued} follows when
	 * the time has come, in the process that makes the job available.
	 *
	 * @param job the job, with the time for which it waits
	 * @param again whether the job was enqueued before, and a limit has postponed it
	 */
	record Scheduled(Job job, boolean again) implements JobEvent {

		@Override
		public String name() {
			return "job.scheduled";
		}

	}

	/**
	 * The job is safe and can be worked: the broker has it, or the job store has it and
	 * the transaction is committed. For a pending job, this event is published when the
	 * job is activated.
	 *
	 * @param job the job
	 * @param again whether an earlier event said that the job is enqueued or scheduled,
	 * such as for a scheduled job that is due, or a dead letter that an operator replays
	 */
	record Enqueued(Job job, boolean again) implements JobEvent {

		@Override
		public String name() {
			return "job.enqueued";
		}

	}

	/**
	 * The broker has confirmed a job of a queue whose delivery is hand-over. From now on
	 * the job belongs to workers that need not report to the job store. OJS Events does
	 * not have this event.
	 *
	 * @param job the job
	 */
	record HandedOver(Job job) implements JobEvent {

		@Override
		public String name() {
			return "job.handed_over";
		}

	}

	/**
	 * An attempt begins.
	 *
	 * @param job the job
	 * @param attempt the attempt, from 1
	 * @param maxAttempts executions in all
	 */
	record Started(Job job, int attempt, int maxAttempts) implements OfAttempt {

		@Override
		public String name() {
			return "job.started";
		}

	}

	/**
	 * A handler has reported its progress.
	 *
	 * @param job the job
	 * @param attempt the attempt, from 1
	 * @param maxAttempts executions in all
	 * @param progress 0.0 to 1.0
	 * @param message what the handler is doing, for people
	 */
	record Progressed(Job job, int attempt, int maxAttempts, double progress, String message) implements OfAttempt {

		@Override
		public String name() {
			return "job.progress";
		}

	}

	/**
	 * The handler succeeded and the job was acknowledged.
	 *
	 * @param job the job
	 * @param attempt the attempt, from 1
	 * @param maxAttempts executions in all
	 * @param duration how long the handler took
	 * @param result the value that the handler returned
	 */
	record Completed(Job job, int attempt, int maxAttempts, Duration duration,
			@Nullable Object result) implements OfAttempt {

		@Override
		public String name() {
			return "job.completed";
		}

	}

	/**
	 * An attempt failed, and an {@link OfFailure} follows; or its worker was lost, and
	 * the job is available for its next attempt.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error the error
	 * @param duration how long the attempt took
	 */
	record Failed(Job job, int attempt, int maxAttempts, JobError error, Duration duration) implements OfAttempt {

		@Override
		public String name() {
			return "job.failed";
		}

	}

	/**
	 * The last attempt that the job may have failed or was cut off. An {@link OfFailure}
	 * follows.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error the error
	 */
	record RetryExhausted(Job job, int attempt, int maxAttempts, JobError error) implements OfAttempt {

		@Override
		public String name() {
			return "job.retry_exhausted";
		}

	}

	/**
	 * An attempt failed and the job waits for the next one.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error the error
	 * @param delay how long the job waits
	 */
	record Retrying(Job job, int attempt, int maxAttempts, JobError error, Duration delay) implements OfFailure {

		@Override
		public String name() {
			return "job.retrying";
		}

	}

	/**
	 * The job failed for good and is a dead letter: in the job store or, without one, in
	 * the dead letter queue.
	 *
	 * @param job the job
	 * @param attempt the last attempt, or the one that did not begin, from 1
	 * @param maxAttempts executions in all
	 * @param error the error
	 */
	record DeadLettered(Job job, int attempt, int maxAttempts, JobError error) implements OfFailure {

		@Override
		public String name() {
			return "job.dead_lettered";
		}

	}

	/**
	 * The job failed for good, or was dropped, and is not a dead letter.
	 *
	 * @param job the job
	 * @param attempt the last attempt, or the one that did not begin, from 1
	 * @param maxAttempts executions in all
	 * @param error the error
	 */
	record Discarded(Job job, int attempt, int maxAttempts, JobError error) implements OfFailure {

		@Override
		public String name() {
			return "job.discarded";
		}

	}

	/**
	 * The job has not begun before its {@code expires_at}. {@link DeadLettered} follows.
	 *
	 * @param job the job
	 */
	record Expired(Job job) implements JobEvent {

		@Override
		public String name() {
			return "job.expired";
		}

	}

	/**
	 * The job was cancelled and will not run, or not run again.
	 *
	 * @param job the job
	 * @param attempt the attempt that was cancelled, or the one that did not begin, from
	 * 1
	 * @param maxAttempts executions in all
	 */
	record Cancelled(Job job, int attempt, int maxAttempts) implements OfAttempt {

		@Override
		public String name() {
			return "job.cancelled";
		}

	}

}
