package io.ojs.test.jobs.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import io.ojs.client.internal.EncodedJob;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobTimeoutException;
import io.ojs.handler.internal.FailureDecision;
import io.ojs.handler.internal.JobFailure;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.engine.AttemptEngine;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.MemoryJobStore;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs one at a time on the caller's thread, in the way of a worker with a job
 * store.
 */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private static final String WORKER = "test";

	/** Longer than any test runs. */
	private static final Duration LEASE = Duration.ofDays(1);

	private final TestRuntime runtime;

	private final JsonValues values;

	private final MemoryJobStore store;

	private final AttemptEngine attempts;

	JobRunner(TestRuntime runtime, JsonValues values, MemoryJobStore store) {
		this.runtime = runtime;
		this.values = values;
		this.store = store;
		this.attempts = new AttemptEngine(store);
	}

	/** Whether the application works the job's queue and has a handler for the job. */
	boolean takes(Job job) {
		return this.runtime.handlers().byQueue().containsKey(job.queue())
				&& this.runtime.handlers().find(job).isPresent();
	}

	/** The same for a row of the store. */
	boolean takes(JobRow row) {
		JobHandlers handlers = this.runtime.handlers();
		return handlers.byQueue().containsKey(row.queue) && !handlers.all(row.type).isEmpty()
				&& handlers.handled().contain(row.type, row.version());
	}

	/** The reason why a waiting job does not run, for a message. */
	String whyLeft(StoredJob waiting) {
		Job job = waiting.job();
		Instant turn = this.store.turn(job.id()).orElse(null);
		if (turn == null) {
			return "waits until it is activated";
		}
		if (!this.runtime.handlers().byQueue().containsKey(job.queue())) {
			return "no handler here works queue " + job.queue();
		}
		if (!takes(job)) {
			return this.runtime.handlers().all(job.type()).isEmpty() ? "no handler here for type " + job.type()
					: "no handler here for its version of type " + job.type();
		}
		return "waits until " + turn;
	}

	/**
	 * Runs a job that is due.
	 * @return whether there was an attempt, and its failure; {@code null} if another
	 * thread has run the job
	 */
	@Nullable Ran run(Job due) {
		EncodedJob sent = this.store.sent(due.id()).orElse(null);
		Claim claim = (sent != null) ? this.attempts
			.claim(List.of(new ClaimRequest(sent, due.queue(), 1, Map.of(), LEASE)), WORKER, now(), false)
			.get(0) : null;
		if (claim instanceof Claim.Expired && due.expiresAt() != null) {
			return new Ran(false, new JobExpiredException(due.expiresAt()));
		}
		if (claim instanceof Claim.Exhausted exhausted) {
			return new Ran(false, new IllegalStateException("No attempt is left of " + exhausted.job().maxAttempts()));
		}
		if (!(claim instanceof Claim.Taken taken)) {
			return null;
		}
		Attempt attempt = new Attempt(taken.job().job(), this.runtime, () -> !isActive(due.id()));
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
				logger.debug("The handler of job {} left an interrupt behind, which is not the test's", due.id());
			}
		}
		return new Ran(true, settle(attempt, taken.lease(), thrown, result));
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
		return this.store.state(id).orElse(null) == JobState.ACTIVE;
	}

	/**
	 * Records the end of the attempt.
	 * @return the exception that the attempt failed with, or {@code null}
	 */
	private @Nullable Throwable settle(Attempt attempt, Lease lease, @Nullable Throwable thrown,
			@Nullable Object result) {
		if (thrown instanceof JobCancelledException || attempt.isCancelled()) {
			// Cancelled, whatever the handler returned or threw.
			end(lease, attempt.as(Transition.CANCEL), attempt);
			return null;
		}
		if (thrown == null) {
			end(lease, attempt.as(Transition.SUCCEED).result(result), attempt);
			return null;
		}
		JobFailure failure = JobFailure.of(thrown, attempt.attempt(), this.runtime.clock(),
				JobEncryption.isEncoded(attempt.job().args()));
		FailureDecision decision = FailureDecision.of(failure, attempt.policy(), attempt.attempt(),
				RandomGenerator.getDefault());
		logger.info("Job {} ({}) failed at attempt {} of {}", attempt.job().id(), attempt.job().type(),
				attempt.attempt(), attempt.maxAttempts(), thrown);
		end(lease,
				attempt.as(decision.transition()).error(decision.error(), failure.knownHash()).delay(decision.delay()),
				attempt);
		return thrown;
	}

	/**
	 * Records the end of the attempt and publishes its event. If the job was cancelled or
	 * replaced meanwhile, the event is that of a cancelled job.
	 */
	private void end(Lease lease, JobTransition ending, Attempt attempt) {
		try {
			boolean counts = this.attempts.settle(Outcome.of(lease, ending, now(), Duration.ZERO), now());
			events().publish(counts ? ending : attempt.as(Transition.CANCEL));
		}
		catch (StoreException ex) {
			if (ending.transition() == Transition.REJECT) {
				throw ex;
			}
			// A store cannot keep a result, or details of a failure, that are not JSON:
			// as with a worker, the job becomes a dead letter.
			JobFailure failure = JobFailure.of(ex, attempt.attempt(), this.runtime.clock());
			end(lease, attempt.as(Transition.REJECT).error(failure.error(), failure.knownHash()), attempt);
		}
	}

	private JobEvents events() {
		return this.runtime.events();
	}

	private Instant now() {
		return this.runtime.clock().instant();
	}

	/**
	 * The result for a job that was due.
	 *
	 * @param attempted whether the handler was called
	 * @param failure the exception that the job failed with, or {@code null}
	 */
	record Ran(boolean attempted, @Nullable Throwable failure) {
	}

}
