package io.ojs.test.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

import io.ojs.event.JobEvents;
import io.ojs.event.Transition;
import io.ojs.handler.FailureDecision;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobFailure;
import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.JobTimeoutException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.json.JsonValues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs one at a time, on the thread of whoever asks, and does with them what a
 * worker with a job store does.
 */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final TestRuntime runtime;

	private final JsonValues values;

	private final KeptJobs jobs;

	JobRunner(TestRuntime runtime, JsonValues values, KeptJobs jobs) {
		this.runtime = runtime;
		this.values = values;
		this.jobs = jobs;
	}

	/** Whether there is a handler for a job here, in a queue that is worked here. */
	boolean takes(Job job) {
		return this.runtime.handlers().byQueue().containsKey(job.queue())
				&& this.runtime.handlers().find(job).isPresent();
	}

	/** Why a job that waits is not run, for a message. */
	String whyLeft(KeptJob waiting) {
		Job job = waiting.job();
		if (waiting.turn() == null) {
			return "waits until it is activated";
		}
		if (!this.runtime.handlers().byQueue().containsKey(job.queue())) {
			return "no handler here works queue " + job.queue();
		}
		if (!takes(job)) {
			return this.runtime.handlers().all(job.type()).isEmpty() ? "no handler here for type " + job.type()
					: "no handler here for its version of type " + job.type();
		}
		return "waits until " + waiting.turn();
	}

	/**
	 * Runs a job whose turn it is.
	 * @return whether there was an attempt, and what it came to; {@code null} if somebody
	 * was quicker
	 */
	@Nullable Ran run(KeptJob due) {
		String id = due.job().id();
		if (due.state() == JobState.SCHEDULED) {
			this.jobs.change(id, JobState.SCHEDULED::equals, (job) -> job.available(now()))
				.ifPresent((job) -> events().publish(job.stored().as(Transition.FALL_DUE)));
		}
		if (due.job().expiresAt() != null && due.job().expiresAt().toInstant().isBefore(now())) {
			return expired(due);
		}
		KeptJob started = this.jobs
			.change(id, (state) -> state == JobState.AVAILABLE || state == JobState.RETRYABLE,
					(job) -> job.started(now()))
			.orElse(null);
		if (started == null) {
			return null;
		}
		Attempt attempt = new Attempt(started, this.runtime, () -> !isActive(id));
		events().publish(attempt.as(Transition.START));
		Throwable thrown = null;
		Object result = null;
		boolean interrupted = Thread.currentThread().isInterrupted();
		try {
			result = this.values.toJson("result", call(attempt));
		}
		catch (EndlessJobsError ex) {
			throw ex;
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		finally {
			if (!interrupted && Thread.interrupted()) {
				logger.debug("The handler of job {} left an interrupt behind, which is not the test's", id);
			}
		}
		return new Ran(true, settle(attempt, thrown, result));
	}

	private @Nullable Object call(Attempt attempt) throws Exception {
		JobHandlerDefinition handler = this.runtime.handlers().find(attempt.job()).orElseThrow();
		Duration timeout = this.runtime.timeouts().of(attempt.job(), handler);
		Object result;
		try {
			result = this.runtime.chain().execute(attempt, handler.handler());
		}
		catch (Throwable ex) {
			if (isOver(attempt, timeout, ex)) {
				throw new JobTimeoutException(timeout, ex);
			}
			throw ex;
		}
		if (isOver(attempt, timeout, null)) {
			throw new JobTimeoutException(timeout, null);
		}
		return result;
	}

	private static boolean isOver(Attempt attempt, Duration timeout, @Nullable Throwable thrown) {
		return attempt.elapsed().compareTo(timeout) > 0 && !(thrown instanceof EndlessJobsError);
	}

	private boolean isActive(String id) {
		return this.jobs.find(id).map(KeptJob::state).orElse(null) == JobState.ACTIVE;
	}

	private Ran expired(KeptJob due) {
		Job job = due.job();
		Instant now = now();
		JobError recorded = new JobError("job_expired", JobError.JOB_EXPIRED,
				"The job expired at %s and was not started before.".formatted(job.expiresAt()), job.attempt(),
				Rfc3339.utc(now), List.of(), Map.of());
		JobExpiredException reason = new JobExpiredException(
				(job.expiresAt() != null) ? job.expiresAt() : Rfc3339.utc(now));
		this.jobs.change(job.id(), (state) -> !state.isTerminal(), (kept) -> kept.discarded(recorded, true, now))
			.ifPresent((kept) -> events().publish(kept.stored().as(Transition.EXPIRE)));
		return new Ran(false, reason);
	}

	/** Returns what the attempt failed with, if it failed. */
	private @Nullable Throwable settle(Attempt attempt, @Nullable Throwable thrown, @Nullable Object result) {
		if (thrown instanceof JobCancelledException) {
			if (change(attempt, (job) -> job.cancelled(now()))) {
				tellCancelled(attempt);
			}
			return null;
		}
		if (attempt.isCancelled()) {
			// Whatever its handler made of that.
			tellCancelled(attempt);
			return null;
		}
		if (thrown == null) {
			if (change(attempt, (job) -> job.completed(result, now()))) {
				events().publish(attempt.as(Transition.SUCCEED).result(result));
			}
			return null;
		}
		JobFailure failure = JobFailure.of(thrown, attempt.attempt(), this.runtime.clock());
		FailureDecision decision = FailureDecision.of(failure, attempt.policy(), attempt.attempt(),
				RandomGenerator.getDefault());
		logger.info("Job {} ({}) failed at attempt {} of {}", attempt.job().id(), attempt.job().type(),
				attempt.attempt(), attempt.maxAttempts(), thrown);
		JobError error = decision.error();
		UnaryOperator<KeptJob> to = decision.isRetried() ? (job) -> job.retrying(error, now().plus(decision.delay()))
				: (job) -> job.discarded(error, decision.isDeadLetter(), now());
		if (change(attempt, to)) {
			events().publish(attempt.as(decision.transition()).error(error).delay(decision.delay()));
		}
		return thrown;
	}

	/** Whether what it came to counts: it may have been cancelled or replaced. */
	private boolean change(Attempt attempt, UnaryOperator<KeptJob> to) {
		if (this.jobs.change(attempt.job().id(), JobState.ACTIVE::equals, to).isPresent()) {
			return true;
		}
		tellCancelled(attempt);
		return false;
	}

	private void tellCancelled(Attempt attempt) {
		events().publish(attempt.as(Transition.CANCEL));
	}

	private JobEvents events() {
		return this.runtime.events();
	}

	private Instant now() {
		return this.runtime.clock().instant();
	}

	/**
	 * What came of a job whose turn it was.
	 *
	 * @param attempted whether its handler was called
	 * @param failure what it failed with; {@code null} if it did not
	 */
	record Ran(boolean attempted, @Nullable Throwable failure) {
	}

}
