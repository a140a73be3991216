package io.ojs.event;

import java.time.Duration;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * Something happened to a job (OJS Events). Told by the thread that did it, after it has
 * happened: a job that is said to be completed has been acknowledged, and with a job
 * store is recorded as completed. What happens in one attempt is told in order. The next
 * attempt may begin before the end of the last one is told, and the job may be begun
 * before its caller tells that it was enqueued: other threads and processes do both.
 */
public sealed interface JobEvent {

	/**
	 * The job.
	 * @return the job as it was enqueued
	 */
	Job job();

	/**
	 * The name of the event in OJS Events.
	 * @return such as {@code job.completed}
	 */
	String name();

	/**
	 * Something happened in an attempt.
	 */
	sealed interface OfAttempt extends JobEvent {

		/**
		 * The attempt.
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
	 * An attempt failed, and this is what became of the job.
	 */
	sealed interface OfFailure extends OfAttempt {

		/**
		 * What went wrong.
		 * @return the error
		 */
		JobError error();

	}

	/**
	 * The job is safe and waits for its time: the broker has it, or the job store has it
	 * and the transaction was committed. With a job store, {@link Enqueued} follows when
	 * the time has come, in the process that sees it first.
	 *
	 * @param job the job, with the time that it waits for
	 * @param again whether it was enqueued before, and a limit has it wait now
	 */
	record Scheduled(Job job, boolean again) implements JobEvent {

		@Override
		public String name() {
			return "job.scheduled";
		}

	}

	/**
	 * The job is safe and can be worked: the broker has it, or the job store has it and
	 * the transaction was committed. Of a pending job it is told when it is activated.
	 *
	 * @param job the job
	 * @param again whether it was told of before: it was scheduled and is due, or is a
	 * dead letter that an operator replays
	 */
	record Enqueued(Job job, boolean again) implements JobEvent {

		@Override
		public String name() {
			return "job.enqueued";
		}

	}

	/**
	 * The broker has confirmed a job of a queue whose delivery is hand-over: from now on
	 * it belongs to workers that need not report to the job store. Not a name of OJS
	 * Events.
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
	 * A handler starts on the job.
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
	 * A handler told how far it is.
	 *
	 * @param job the job
	 * @param attempt the attempt, from 1
	 * @param maxAttempts executions in all
	 * @param progress 0.0 to 1.0
	 * @param message what it is doing, for a person
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
	 * @param result what the handler returned
	 */
	record Completed(Job job, int attempt, int maxAttempts, Duration duration,
			@Nullable Object result) implements OfAttempt {

		@Override
		public String name() {
			return "job.completed";
		}

	}

	/**
	 * A handler failed. What becomes of the job is told next, by an {@link OfFailure}.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error what went wrong
	 * @param duration how long the attempt took
	 */
	record Failed(Job job, int attempt, int maxAttempts, JobError error, Duration duration) implements OfAttempt {

		@Override
		public String name() {
			return "job.failed";
		}

	}

	/**
	 * An attempt failed and was the last that the job may have. What becomes of the job
	 * is told next, by an {@link OfFailure}.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error what went wrong
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
	 * @param error what went wrong
	 * @param delay when the next attempt may begin
	 */
	record Retrying(Job job, int attempt, int maxAttempts, JobError error, Duration delay) implements OfFailure {

		@Override
		public String name() {
			return "job.retrying";
		}

	}

	/**
	 * The job failed for good and is a dead letter: in the job store, and without one in
	 * the dead letter queue.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error what went wrong
	 */
	record DeadLettered(Job job, int attempt, int maxAttempts, JobError error) implements OfFailure {

		@Override
		public String name() {
			return "job.dead_lettered";
		}

	}

	/**
	 * The job failed for good and was let go.
	 *
	 * @param job the job
	 * @param attempt the attempt that failed, from 1
	 * @param maxAttempts executions in all
	 * @param error what went wrong
	 */
	record Discarded(Job job, int attempt, int maxAttempts, JobError error) implements OfFailure {

		@Override
		public String name() {
			return "job.discarded";
		}

	}

	/**
	 * The job was not begun before its {@code expires_at}. What becomes of it is told
	 * next, by {@link DeadLettered}.
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
