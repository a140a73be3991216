package io.ojs.amqp.internal.listen;

import io.ojs.amqp.internal.run.JobRun;
import io.ojs.handler.internal.JobFailure;
import io.ojs.store.internal.attempt.Claim;
import org.jspecify.annotations.Nullable;

/**
 * The result of working a delivery.
 */
sealed interface AttemptResult {

	/** The attempt; {@code null} if there was none. */
	default @Nullable JobRun run() {
		return null;
	}

	/**
	 * There was no attempt: the message is no job, or the job store does not accept it.
	 *
	 */
	record Unreadable(Throwable thrown) implements AttemptResult {
	}

	/**
	 * There was no attempt: the job store did not give the job to this worker.
	 *
	 * @param claim what the store has done with the job; {@code null} if the worker
	 * stopped or the delivery was lost before the store answered, so that the broker
	 * delivers the job again
	 */
	record NotClaimed(@Nullable Claim claim) implements AttemptResult {
	}

	/**
	 * The handler returned.
	 *
	 */
	record Succeeded(JobRun run, @Nullable Object result) implements AttemptResult {
	}

	/**
	 * The handler threw, took too long, or could not be called.
	 *
	 */
	record Failed(JobRun run, Throwable thrown) implements AttemptResult {
	}

	/**
	 * The job was cancelled, before its handler was called or while it ran.
	 *
	 */
	record Cancelled(JobRun run) implements AttemptResult {
	}

	/**
	 * The job arrived after its {@code expires_at}, and its handler was not called.
	 *
	 */
	record Expired(JobRun run, JobFailure failure) implements AttemptResult {
	}

	/**
	 * No handler of this process handles the version of the job; another process may have
	 * one.
	 *
	 */
	record NotHandled(JobRun run) implements AttemptResult {
	}

	/**
	 * The stopping worker interrupted the handler, which is no failure of the job.
	 *
	 */
	record Stopped(JobRun run) implements AttemptResult {
	}

	/**
	 * The lease ended before the handler did: the job has ended or belongs to another
	 * worker.
	 *
	 */
	record LeaseLost(JobRun run) implements AttemptResult {
	}

}
