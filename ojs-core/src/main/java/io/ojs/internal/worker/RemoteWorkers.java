package io.ojs.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.ojs.event.JobEvent;
import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.Transition;
import io.ojs.handler.internal.FailureDecision;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.fetch.FetchedJob;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.FailureResponse;
import io.ojs.retry.OnExhaustion;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.StoredTransitions;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.attempt.Progress;
import io.ojs.store.internal.relay.HandOver;
import org.jspecify.annotations.Nullable;

/**
 * Serves workers that fetch jobs from the job store over HTTP, in any language. Any
 * instance serves any worker at any time.
 *
 * <p>
 * Every method throws {@link StoreUnavailableException} if the database cannot be
 * reached; the worker can then repeat the request.
 */
public final class RemoteWorkers {

	/** The name of workers that do not send one. */
	public static final String ANONYMOUS = WorkerIds.ANONYMOUS;

	/** How long a worker is known without a sign of life. */
	public static final Duration REMEMBERED = Duration.ofMinutes(5);

	/**
	 * How often the sign of life of a worker is recorded at most, if it reports nothing
	 * new.
	 */
	private static final Duration NOTED = Duration.ofSeconds(5);

	private final RemoteStores stores;

	private final RunTerms terms;

	private final FetchedQueues fetched;

	private final HandOver handOver;

	private final LiveQueues queues;

	private final WorkerAdvice advice;

	private final JobEvents events;

	private final Clock clock;

	private final FailedRuns failed;

	/**
	 * Creates the service.
	 * @param handOver knows the queues that workers must not fetch from
	 */
	public RemoteWorkers(RemoteStores stores, RunTerms terms, FetchedQueues fetched, HandOver handOver,
			LiveQueues queues, WorkerAdvice advice, JobEvents events, Clock clock) {
		this.stores = stores;
		this.terms = terms;
		this.fetched = fetched;
		this.handOver = handOver;
		this.queues = queues;
		this.advice = advice;
		this.events = events;
		this.clock = clock;
		this.failed = new FailedRuns(stores.attempts(), terms, events, clock);
	}

	/**
	 * Fetches jobs for a worker. Jobs of the first queue come first; within a queue by
	 * priority, and then by the time since which they are available. Queues that do not
	 * exist are ignored.
	 * @return its jobs, active; empty if there are none, or if the worker should not
	 * fetch
	 * @throws InvalidWorkerRequestException if one of the queues is handed over
	 */
	public List<FetchedJob> fetch(FetchRequest request) {
		request.queues().stream().filter(this.handOver).findFirst().ifPresent((queue) -> {
			throw new InvalidWorkerRequestException("queues", queue,
					"must not name a queue whose delivery is hand-over: consume it from the broker");
		});
		Instant now = this.clock.instant();
		List<String> queues = request.queues().stream().filter(this.queues::exists).toList();
		KnownWorker known = (request.worker() != null) ? fetching(request.worker(), queues, now) : null;
		if (known != null && known.wanted() != WorkerState.RUNNING) {
			return List.of();
		}
		this.fetched.fetched(queues);
		List<String> worked = queues.stream().filter((queue) -> this.queues.get(queue).state().isWorked()).toList();
		String worker = Objects.requireNonNullElse(request.worker(), WorkerIds.ANONYMOUS);
		List<FetchedJob> fetched = this.stores.fetches()
			.fetch(worked, request.count(), worker, request.tenant(), handled(request, known), now,
					(stored) -> this.terms.reservation(stored.job(), request.lease()));
		fetched.forEach((each) -> started(each.job()));
		return fetched;
	}

	private void started(StoredJob stored) {
		this.events.publish(StoredTransitions.of(stored, Transition.START));
	}

	private static HandledJobs handled(FetchRequest request, @Nullable KnownWorker worker) {
		if (request.handled() != null) {
			return request.handled();
		}
		HandledJobs said = (worker != null) ? worker.handled() : null;
		return (said != null) ? said : HandledJobs.ALL;
	}

	private KnownWorker fetching(String worker, List<String> queues, Instant now) {
		KnownWorker before = this.stores.workers().find(worker).orElse(null);
		KnownWorker seen = (before != null)
				? new KnownWorker(worker, before.state(), before.directive(), before.firstSeen(), now,
						before.activeJobs(), queues, before.details())
				: new KnownWorker(worker, WorkerState.RUNNING, WorkerState.RUNNING, now, now, 0, queues, Map.of());
		note(before, seen);
		return seen;
	}

	private void note(@Nullable KnownWorker before, KnownWorker seen) {
		if (before == null || before.lastSeen().plus(NOTED).isBefore(seen.lastSeen()) || !isSame(before, seen)) {
			this.stores.workers().seen(seen);
		}
	}

	private static boolean isSame(KnownWorker before, KnownWorker seen) {
		return before.state() == seen.state() && before.activeJobs() == seen.activeJobs()
				&& before.queues().equals(seen.queues()) && before.details().equals(seen.details());
	}

	/**
	 * Completes a job.
	 * @param result the result; a JSON value
	 * @return the job, completed; empty if the store does not have it
	 * @throws RunConflictException if the job is not active, another worker has it, or it
	 * was not fetched
	 */
	public Optional<StoredJob> ack(RunReference run, @Nullable Object result) {
		Optional<LeasedRun> found = find(run);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		settle(found.get(), new Outcome.Completed(found.get().lease(), result));
		StoredJob before = found.get().job();
		this.events.publish(StoredTransitions.of(before, Transition.SUCCEED)
			.took(this.failed.elapsed(before.job()))
			.result(result));
		return again(run);
	}

	/**
	 * Records that a run failed. The job is retried, becomes a dead letter or is
	 * discarded.
	 * @return the job and its delay; empty if the store does not have the job
	 * @throws RunConflictException if the job is not active, another worker has it, or it
	 * was not fetched
	 */
	public Optional<Nacked> nack(RunReference run, RemoteFailure failure) {
		Optional<LeasedRun> found = find(run);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		Job job = found.get().job().job();
		JobError error = new JobError(failure.effectiveType(), failure.code(), failure.message(), job.attempt(),
				Rfc3339.utc(this.clock.instant()), failure.backtrace(), failure.details());
		FailureDecision decision = this.failed
			.fail(found.get(), JobFailure.recorded(error, response(found.get(), failure)))
			.orElseThrow(() -> conflict(run));
		Duration delay = decision.isRetried() ? decision.delay() : null;
		return again(run).map((stored) -> new Nacked(stored, delay));
	}

	/**
	 * A failure that is not retryable has the consequence that the policy has for the
	 * last attempt.
	 */
	private FailureResponse response(LeasedRun run, RemoteFailure failure) {
		if (failure.retryable()) {
			return FailureResponse.RETRY;
		}
		return (this.terms.policy(run.job()).onExhaustion() == OnExhaustion.DISCARD) ? FailureResponse.DISCARD
				: FailureResponse.DEAD_LETTER;
	}

	/**
	 * Gives back a job that the worker has not begun. It is available at once, at its old
	 * place in the queue, and the attempt does not count.
	 * @return the job, available; empty if the store does not have it
	 * @throws RunConflictException if the job is not active, another worker has it, or it
	 * was not fetched
	 */
	public Optional<Nacked> requeue(RunReference run) {
		Optional<LeasedRun> found = find(run);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		settle(found.get(), new Outcome.Requeued(found.get().lease(), this.clock.instant()));
		return again(run).map((stored) -> new Nacked(stored, null));
	}

	/**
	 * Records the progress of a job.
	 * @param value the progress; limited to 0 to 1
	 * @param message what the job is doing, for people to read
	 * @param data any other value; a JSON value
	 * @return the progress as kept; empty if the store does not have the job
	 * @throws InvalidWorkerRequestException if the value is not a number
	 * @throws RunConflictException if the job is not active, another worker has it, or it
	 * was not fetched
	 */
	public Optional<Progress> progress(RunReference run, double value, @Nullable String message,
			@Nullable Object data) {
		if (Double.isNaN(value)) {
			throw new InvalidWorkerRequestException("progress", value, "must be a number between 0 and 1");
		}
		Optional<LeasedRun> found = find(run);
		if (found.isEmpty()) {
			return Optional.empty();
		}
		Progress progress = new Progress(Math.min(1, Math.max(0, value)), message, data, this.clock.instant());
		if (!this.stores.progress().report(found.get().lease(), progress)) {
			throw conflict(run);
		}
		StoredJob stored = found.get().job();
		this.events.publish(new JobEvent.Progressed(stored.job(), stored.job().attempt(), stored.maxAttempts(),
				progress.value(), Objects.requireNonNullElse(message, "")));
		return Optional.of(progress);
	}

	/**
	 * Returns the progress of a job.
	 * @return the last progress that a worker reported; empty if there is none
	 */
	public Optional<Progress> progress(String jobId) {
		return this.stores.progress().find(jobId);
	}

	private void settle(LeasedRun run, Outcome outcome) {
		if (!this.stores.attempts().settle(outcome, this.clock.instant())) {
			throw conflict(RunReference.of(run.lease().jobId()));
		}
	}

	private Optional<StoredJob> again(RunReference run) {
		return this.stores.fetches().find(run.jobId()).map(LeasedRun::job);
	}

	private Optional<LeasedRun> find(RunReference run) {
		Optional<LeasedRun> found = this.stores.fetches().find(run.jobId());
		if (found.isPresent() && !found.get().isActive()) {
			// The worker may have received the job from the broker.
			String worker = Objects.requireNonNullElse(run.worker(), WorkerIds.ANONYMOUS);
			found = begin(run.jobId(), worker, run.attempt()).or(() -> this.stores.fetches().find(run.jobId()));
		}
		found.ifPresent((leased) -> check(leased, run));
		return found;
	}

	private Optional<LeasedRun> begin(String jobId, String worker, @Nullable Integer attempt) {
		Optional<LeasedRun> begun = this.stores.fetches()
			.begin(jobId, worker, attempt, this.clock.instant(), this::lease);
		begun.ifPresent((run) -> started(run.job()));
		return begun;
	}

	private static void check(LeasedRun leased, RunReference run) {
		Job job = leased.job().job();
		if (!leased.isActive()) {
			throw notActive(job);
		}
		// The message may name the worker: events do so too.
		if (!leased.remote()) {
			throw new RunConflictException(job.id(), job.state(),
					"Job %s runs in a process that settles it itself: its worker has not fetched it."
						.formatted(job.id()));
		}
		if (run.worker() != null && !run.worker().equals(leased.worker())) {
			throw new RunConflictException(job.id(), job.state(),
					"Job %s is not held by worker '%s': its lease is over, or another worker has it. Send the 'worker_id' with which it was fetched."
						.formatted(job.id(), run.worker()));
		}
		if (run.attempt() != null && run.attempt() != job.attempt()) {
			throw new RunConflictException(job.id(), job.state(),
					"Attempt %d of job %s is over: attempt %d is being run.".formatted(run.attempt(), job.id(),
							job.attempt()));
		}
	}

	private static RunConflictException notActive(Job job) {
		String state = (job.state() != null) ? job.state().wireName() : "unknown";
		return new RunConflictException(job.id(), job.state(),
				"Job %s is not active but %s, so no worker runs it.".formatted(job.id(), state));
	}

	/** The worker has just lost the job. */
	private RunConflictException conflict(RunReference run) {
		Job job = again(run).map(StoredJob::job).orElse(null);
		return new RunConflictException(run.jobId(), (job != null) ? job.state() : null,
				"Job %s was taken from its worker just now.".formatted(run.jobId()));
	}

	/**
	 * Records a heartbeat: extends the leases of the worker's jobs. Jobs that it received
	 * from the broker begin with it.
	 */
	public HeartbeatAnswer heartbeat(Heartbeat heartbeat) {
		Instant now = this.clock.instant();
		KnownWorker before = this.stores.workers().find(heartbeat.worker()).orElse(null);
		KnownWorker seen = heartbeat.seen(before, now);
		note(before, seen);
		Duration lease = (heartbeat.lease() != null) ? RunTerms.limited(heartbeat.lease()) : null;
		Set<String> extended = new HashSet<>(
				this.stores.fetches().extend(heartbeat.worker(), heartbeat.jobIds(), lease, now));
		List<String> others = heartbeat.jobIds().stream().filter((id) -> !extended.contains(id)).toList();
		// A locked row delays no other; the next heartbeat begins that job.
		for (LeasedRun run : this.stores.fetches()
			.beginFree(others, heartbeat.worker(), heartbeat.tenant(), now, this::lease)) {
			started(run.job());
			extended.add(run.job().job().id());
		}
		return new HeartbeatAnswer(seen.wanted().orLater(this.advice.advise(heartbeat)),
				heartbeat.jobIds().stream().filter(extended::contains).toList(),
				heartbeat.jobIds().stream().filter((id) -> !extended.contains(id)).toList(), now);
	}

	private Duration lease(StoredJob stored) {
		return this.terms.reservation(stored.job(), null).lease();
	}

	/**
	 * Finds a worker.
	 * @return the worker; empty if there was no sign of life lately
	 */
	public Optional<KnownWorker> find(String id) {
		return this.stores.workers().find(id).filter((worker) -> isRemembered(worker, this.clock.instant()));
	}

	/**
	 * Lists workers.
	 * @return the workers with a sign of life lately, by their names
	 */
	public List<KnownWorker> list() {
		Instant now = this.clock.instant();
		return this.stores.workers().list().stream().filter((worker) -> isRemembered(worker, now)).toList();
	}

	private static boolean isRemembered(KnownWorker worker, Instant now) {
		return worker.lastSeen().isAfter(now.minus(REMEMBERED));
	}

	/**
	 * Sets the state that a worker should be in, from its next request on. The worker
	 * gets no jobs unless that is {@link WorkerState#RUNNING}.
	 * @return whether the worker is known
	 */
	public boolean direct(String id, WorkerState state) {
		return this.stores.workers().direct(id, state);
	}

	/**
	 * Removes workers without a recent sign of life.
	 */
	public void forget() {
		this.stores.workers().forget(this.clock.instant().minus(REMEMBERED));
	}

}
