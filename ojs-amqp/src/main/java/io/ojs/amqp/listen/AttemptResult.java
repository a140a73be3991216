package io.ojs.amqp.listen;

import io.ojs.handler.JobFailure;
import io.ojs.store.attempt.Claim;
import org.jspecify.annotations.Nullable;

/**
 * What working a delivery came to.
 */
sealed interface AttemptResult {

	/** The attempt; none if the job is not this worker's. */
	default @Nullable JobRun run() {
		return null;
	}

	/**
	 * There was no attempt: the message is no job, or none that the job store takes.
	 *
	 * @param thrown why
	 */
	record Unreadable(Throwable thrown) implements AttemptResult {
	}

	/**
	 * There was no attempt: the job store did not give the job to this worker.
	 *
	 * @param claim what the store has done with it; {@code null} if the worker stopped or
	 * the delivery was lost before that was known, so that the broker delivers the job
	 * again
	 */
	record NotClaimed(@Nullable Claim claim) implements AttemptResult {
	}

	/**
	 * The handler returned.
	 *
	 * @param run the attempt
	 * @param result what the handler returned
	 */
	record Succeeded(JobRun run, @Nullable Object result) implements AttemptResult {
	}

	/**
	 * The handler threw, ran too long, or could not be called.
	 *
	 * @param run the attempt
	 * @param thrown why
	 */
	record Failed(JobRun run, Throwable thrown) implements AttemptResult {
	}

	/**
	 * The job was cancelled, before its handler was called or while it ran.
	 *
	 * @param run the attempt
	 */
	record Cancelled(JobRun run) implements AttemptResult {
	}

	/**
	 * The job came after its {@code expires_at}: its handler was not called.
	 *
	 * @param run the attempt
	 * @param failure what the dead letter says
	 */
	record Expired(JobRun run, JobFailure failure) implements AttemptResult {
	}

	/**
	 * No handler here takes the version of the job; another process may have one.
	 *
	 * @param run the attempt
	 */
	record NotHandled(JobRun run) implements AttemptResult {
	}

	/**
	 * The worker stops and has cut off the handler, which is no failure of the job.
	 *
	 * @param run the attempt
	 */
	record Stopped(JobRun run) implements AttemptResult {
	}

	/**
	 * The lease ended before the handler did: the job has ended or is another worker's.
	 *
	 * @param run the attempt
	 */
	record LeaseLost(JobRun run) implements AttemptResult {
	}

}
