package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

import io.ojs.amqp.internal.run.Interruption;
import io.ojs.amqp.internal.run.JobRun;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.event.internal.Transition;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobNotAdmittedException;
import io.ojs.handler.JobTimeoutException;
import io.ojs.handler.UnknownJobTypeException;
import io.ojs.handler.internal.JobFailure;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.internal.trace.JobSpan;
import io.ojs.job.Job;
import io.ojs.queue.internal.LiveQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Calls the handler of a job and returns the result. It throws nothing that a handler
 * throws, and settles nothing.
 */
final class AttemptRunner {

	private final String queue;

	private final JobRuntime runtime;

	private final LiveQueues live;

	private final BooleanSupplier stopping;

	/**
	 * Creates a runner.
	 * @param live tells whether the queue admits jobs that the store adopts
	 * @param stopping whether the worker stops
	 */
	AttemptRunner(String queue, JobRuntime runtime, LiveQueues live, BooleanSupplier stopping) {
		this.queue = queue;
		this.runtime = runtime;
		this.live = live;
		this.stopping = stopping;
	}

	/**
	 * Makes an attempt.
	 * @param run the attempt, claimed if there is a job store
	 */
	AttemptResult run(Delivery delivery, JobRun run) {
		Map<String, String> logFields = Map.of("ojs.job.id", run.job().id(), "ojs.job.type", run.job().type(),
				"ojs.job.queue", this.queue, "ojs.job.attempt", Integer.toString(run.attempt()));
		logFields.forEach(MDC::put);
		try {
			JobHandlerDefinition handler = this.runtime.handlers().find(run.job()).orElse(null);
			// With a job store, the claim has made these checks and begun the attempt.
			AttemptResult refusal = (run.lease() == null) ? refusal(run, handler) : null;
			return (refusal != null) ? refusal : begun(delivery, run, handler);
		}
		catch (Throwable ex) {
			return failed(run, ex);
		}
		finally {
			logFields.keySet().forEach(MDC::remove);
		}
	}

	/** Why the job does not begin here or now; {@code null} if it begins. */
	private @Nullable AttemptResult refusal(JobRun run, @Nullable JobHandlerDefinition handler) {
		Job job = run.job();
		if (isCancelled(job)) {
			return new AttemptResult.Cancelled(run);
		}
		if (job.expiresAt() != null && job.expiresAt().toInstant().isBefore(this.runtime.clock().instant())) {
			return new AttemptResult.Expired(run,
					JobFailure.of(new JobExpiredException(job.expiresAt()), run.attempt(), this.runtime.clock()));
		}
		return isOfOtherVersion(job, handler) ? new AttemptResult.NotHandled(run) : null;
	}

	private boolean isCancelled(Job job) {
		return this.runtime.supervision().control().isCancelled(job.id());
	}

	private boolean isOfOtherVersion(Job job, @Nullable JobHandlerDefinition handler) {
		return handler == null && this.runtime.handlers().find(job.type()).isPresent();
	}

	private AttemptResult begun(Delivery delivery, JobRun run, @Nullable JobHandlerDefinition handler)
			throws Exception {
		JobSpan span = this.runtime.tracing().process(run.job(), this.queue, run.attempt(), delivery.headers());
		try {
			this.runtime.events().publish(run.as(Transition.START));
			if (isCancelled(run.job())) {
				throw new JobCancelledException(run.job().id(), null);
			}
			if (isOfOtherVersion(run.job(), handler)) {
				// The version has changed since the store was asked.
				span.failed(new VersionNotHandledException(run.job()));
				return new AttemptResult.NotHandled(run);
			}
			return new AttemptResult.Succeeded(run, handle(delivery, run, handler));
		}
		catch (Throwable ex) {
			span.failed(ex);
			throw ex;
		}
		finally {
			span.close();
		}
	}

	private AttemptResult failed(JobRun run, Throwable thrown) {
		if (thrown instanceof JobCancelledException) {
			return new AttemptResult.Cancelled(run);
		}
		if (run.interruption() == Interruption.LEASE_LOST) {
			return new AttemptResult.LeaseLost(run);
		}
		if (run.interruption() == Interruption.STOPPED || (this.stopping.getAsBoolean() && isInterrupt(thrown))) {
			return new AttemptResult.Stopped(run);
		}
		return new AttemptResult.Failed(run, thrown);
	}

	/** Whether an exception was thrown because the thread was interrupted. */
	static boolean isInterrupt(Throwable thrown) {
		return thrown instanceof InterruptedException || Thread.currentThread().isInterrupted();
	}

	private @Nullable Object handle(Delivery delivery, JobRun run, @Nullable JobHandlerDefinition handler)
			throws Exception {
		Job job = run.job();
		if (run.isAdopted()) {
			this.live.get(this.queue).refusal(job, delivery.producer()).ifPresent((refusal) -> {
				throw new JobNotAdmittedException(refusal);
			});
		}
		if (handler == null) {
			throw new UnknownJobTypeException(job.type(), this.queue);
		}
		return supervised(run, handler);
	}

	private @Nullable Object supervised(JobRun run, JobHandlerDefinition handler) throws Exception {
		Supervision supervision = this.runtime.supervision();
		Duration timeout = supervision.timeouts().of(run.job(), handler);
		Future<?> deadline = null;
		Object result;
		if (!run.begin()) {
			throw (run.interruption() == Interruption.CANCELLED) ? new JobCancelledException(run.job().id(), null)
					: new IllegalStateException("The lease on job %s ended before its handler began: %s."
						.formatted(run.job().id(), run.interruption()));
		}
		supervision.running().add(run);
		try {
			deadline = supervision.deadlines().watch(run, timeout);
			if (isCancelled(run.job())) {
				// The request may have come before this attempt was registered.
				throw new JobCancelledException(run.job().id(), null);
			}
			result = this.runtime.chain().execute(run, handler.handler());
		}
		catch (Throwable ex) {
			run.end();
			if (run.interruption() == Interruption.CANCELLED) {
				throw new JobCancelledException(run.job().id(), ex);
			}
			if (run.interruption() == Interruption.TIMED_OUT) {
				throw new JobTimeoutException(timeout, ex);
			}
			throw ex;
		}
		finally {
			run.end();
			if (deadline != null) {
				deadline.cancel(false);
			}
			supervision.running().remove(run);
		}
		if (run.interruption() == Interruption.TIMED_OUT) {
			// The handler was told that it has failed, and may have passed that on.
			throw new JobTimeoutException(timeout, null);
		}
		return result;
	}

}
