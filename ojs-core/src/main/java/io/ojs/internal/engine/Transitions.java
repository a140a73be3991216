package io.ojs.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * Applies state transitions to locked rows in one transaction, by the table in
 * {@link Transition}, and records their events. The store writes both in the same
 * transaction.
 *
 * <p>
 * The feed gets the events of all transitions. Listeners are notified of new jobs by the
 * process that enqueues them, of attempts by the worker, and of all other transitions by
 * the store, after the commit.
 */
public final class Transitions {

	/** The code of the error of a run whose worker did not end it. */
	static final String WORKER_LOST = "WORKER_LOST";

	private static final int MAX_ERROR_TYPE = 255;

	private static final int MAX_ACTOR = 255;

	private final JobRowCodec codec;

	private final Function<String, Retention> retention;

	private final UnaryOperator<String> deadLetterQueue;

	private final Supplier<@Nullable String> actor;

	private final Instant now;

	private final Set<JobRow> changed = new LinkedHashSet<>();

	private final List<FeedEvent> events = new ArrayList<>();

	private final List<JobRow> workflowEnds = new ArrayList<>();

	private final List<JobTransition> told = new ArrayList<>();

	/**
	 * Creates transitions that take place at one moment.
	 * @param retention returns how long jobs of a queue are kept after their end
	 * @param actor returns for whom the thread acts; {@code null} if it is not known
	 */
	public Transitions(JobRowCodec codec, Function<String, Retention> retention, UnaryOperator<String> deadLetterQueue,
			Supplier<@Nullable String> actor, Instant now) {
		this.codec = codec;
		this.retention = retention;
		this.deadLetterQueue = deadLetterQueue;
		this.actor = actor;
		this.now = Times.micros(now);
	}

	/** Returns the time of all transitions. */
	public Instant now() {
		return this.now;
	}

	/** Returns the rows that the store has to write. */
	public Set<JobRow> changed() {
		return this.changed;
	}

	/** Returns the events for the feed. */
	public List<FeedEvent> events() {
		return this.events;
	}

	/** Returns the jobs whose end workflows have to learn. */
	public List<JobRow> workflowEnds() {
		return this.workflowEnds;
	}

	/** Returns the transitions of which listeners are notified after the commit. */
	public List<JobTransition> told() {
		return this.told;
	}

	private void changed(JobRow row, JobRow.Change change) {
		row.changes(change);
		this.changed.add(row);
	}

	private void become(Transition transition, JobRow row) {
		if (!transition.from().contains(row.state)) {
			throw new IllegalStateException(
					"Job %s is %s, which %s does not begin with.".formatted(row.id, row.state, transition));
		}
		if (row.hasMarks()) {
			row.clearMarks();
			changed(row, JobRow.Change.PROGRESS);
		}
		if (row.state.isTerminal() && !transition.to().isTerminal()) {
			// The job is replayed; or it was handed over, and its worker reports to the
			// store.
			row.endedAt = null;
			row.pruneAt = null;
			changed(row, JobRow.Change.PROGRESS);
		}
		row.state = transition.to();
	}

	/**
	 * Records that a job was moved to another queue: the limits of the new queue apply,
	 * not those of the old one.
	 */
	public void moved(JobRow row) {
		row.hasPlaces = false;
		row.blockedBy = null;
		changed(row, JobRow.Change.PROGRESS);
	}

	/** Records a new job, which is available, scheduled or pending. */
	public void inserted(JobRow row) {
		keep(Transition.ofNew(row.state), row, null, Map.of());
	}

	/** Makes a job available that is due, activated or replayed. */
	public void makeAvailable(JobRow row, @Nullable Instant relayAt) {
		Transition transition = switch (row.state) {
			case PENDING -> row.adopted ? Transition.ADOPT : Transition.ACTIVATE;
			case SCHEDULED -> Transition.FALL_DUE;
			case DISCARDED -> Transition.REPLAY;
			case HANDED_OVER -> Transition.TAKE_BACK;
			default -> Transition.FALL_DUE_AGAIN;
		};
		available(transition, row, relayAt);
		row.enqueuedAt = this.now;
		tell(transition, row, null);
	}

	/** Schedules a job for later that may not start yet. */
	public void reschedule(JobRow row, Instant dueAt) {
		become(Transition.RESCHEDULE, row);
		row.dueAt = Times.micros(dueAt);
		row.relayAt = row.dueAt;
		endLease(row);
		changed(row, JobRow.Change.PROGRESS);
		tell(Transition.RESCHEDULE, row, null);
	}

	/** Records the event that a limit blocks a job, or lets it through. */
	public void limitEvent(String type, JobRow row, String key) {
		event(type, row, EventText.mapOf("key", key, "job_id", row.id.toString()));
	}

	private void available(Transition transition, JobRow row, @Nullable Instant relayAt) {
		become(transition, row);
		row.dueAt = null;
		row.relayAt = relayAt;
		row.waitForWorker(null, null);
		endLease(row);
		changed(row, JobRow.Change.PROGRESS);
	}

	/** Makes a job wait for a worker that can run its version. */
	public void waitForWorker(JobRow row, Instant since, Instant until) {
		if (row.state == JobState.ACTIVE) {
			release(row, null);
		}
		else if (row.state != JobState.AVAILABLE) {
			makeAvailable(row, null);
		}
		row.relayAt = Times.micros(until);
		// Otherwise jobs that wait for its limit would wait for its worker too.
		row.hasPlaces = false;
		row.blockedUntil = null;
		// The job has left the broker, so it needs another turn of its tenant.
		row.awaitsTurn = null;
		row.waitForWorker(Times.micros(since), row.relayAt);
		changed(row, JobRow.Change.PROGRESS);
	}

	private static void endLease(JobRow row) {
		row.leaseUntil = null;
		row.timeoutAt = null;
		row.leaseMillis = null;
		row.worker = null;
	}

	/** Starts a run of a worker. */
	public void start(JobRow row, String worker, Instant leaseUntil) {
		become(Transition.START, row);
		row.attempt++;
		// Random, not counted: a replica that took over without the last commits would
		// count the same number again, and two workers would have the same lease.
		row.run = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
		changed(row, JobRow.Change.START);
		if (row.leaseMillis != null || row.timeoutAt != null) {
			// They belong to the last run, of a worker over HTTP.
			row.leaseMillis = null;
			row.timeoutAt = null;
			changed(row, JobRow.Change.PROGRESS);
		}
		if (row.rateKey != null || row.tenant != null) {
			row.hasPlaces = true;
			changed(row, JobRow.Change.PROGRESS);
		}
		row.startedAt = this.now;
		row.dueAt = null;
		row.waitForWorker(null, null);
		row.leaseUntil = Times.micros(leaseUntil);
		row.worker = EventText.worker(worker);
		lookAt(row);
		keep(Transition.START, row, null, Map.of());
	}

	/**
	 * Sets when a process checks the run, which must not be later than the end of the
	 * lease. If the relay was to publish the job before that, this time stays, because
	 * changing it changes an index.
	 */
	private void lookAt(JobRow row) {
		Instant leaseUntil = Objects.requireNonNull(row.leaseUntil);
		if (row.relayAt == null || row.relayAt.isAfter(leaseUntil)) {
			row.relayAt = leaseUntil;
			changed(row, JobRow.Change.START_AND_LOOK);
		}
	}

	/**
	 * Starts a run of a worker over HTTP, which the store cannot interrupt.
	 * @param lease how long the lease lasts unless it is extended
	 * @param timeout how long the run may take; {@code null} for no limit
	 */
	public void start(JobRow row, String worker, Duration lease, @Nullable Duration timeout) {
		start(row, worker, this.now.plus(lease));
		row.leaseMillis = lease.toMillis();
		row.timeoutAt = (timeout != null) ? Times.after(this.now, timeout) : null;
		row.leaseUntil = row.leaseEnd(this.now.plus(lease));
		row.relayAt = row.leaseUntil;
		changed(row, JobRow.Change.PROGRESS);
	}

	/**
	 * Renews the lease of a run whose worker has asked again, because it did not get the
	 * answer to its claim.
	 * @param leaseUntil when its lease ends unless it is extended
	 */
	public void resume(JobRow row, Instant leaseUntil) {
		row.leaseUntil = Times.micros(leaseUntil);
		lookAt(row);
		changed(row, JobRow.Change.PROGRESS);
	}

	/** Applies the outcome of a run. */
	public void settle(JobRow row, Outcome outcome) {
		if (outcome instanceof Outcome.Completed completed) {
			complete(row, completed.result());
		}
		else if (outcome instanceof Outcome.Retried retried) {
			retry(row, retried.error(), retried.errorHash(), retried.dueAt(), retried.relayAt());
		}
		else if (outcome instanceof Outcome.Discarded discarded) {
			fail(row, discarded.error(), discarded.errorHash(), discarded.transition());
		}
		else if (outcome instanceof Outcome.Released released) {
			release(row, released.relayAt());
		}
		else if (outcome instanceof Outcome.Requeued requeued) {
			requeue(row, requeued.relayAt());
		}
		else {
			cancelled(row);
		}
	}

	/** Completes a job: its handler succeeded. */
	public void complete(JobRow row, @Nullable Object result) {
		row.result = this.codec.json().writeOrNull(result);
		end(Transition.SUCCEED, row, retention(row.queue).completed(), JobRow.Change.SUCCESS);
		keep(Transition.SUCCEED, row, null, EventText.mapOf("result", result));
	}

	/** Schedules the next attempt of a job: its handler failed. */
	private void retry(JobRow row, JobError error, @Nullable String hash, Instant dueAt, Instant relayAt) {
		record(row, error, hash);
		become(Transition.RETRY, row);
		row.dueAt = Times.micros(dueAt);
		row.retryDelayMillis = Math.max(0, Duration.between(this.now, dueAt).toMillis());
		row.relayAt = relayAt;
		endLease(row);
		changed(row, JobRow.Change.PROGRESS);
		keep(Transition.RETRY, row, error, Map.of());
	}

	/** Discards a job: its handler failed for good. */
	private void fail(JobRow row, JobError error, @Nullable String hash, Transition transition) {
		discard(transition, row, error, hash);
		keep(transition, row, error, Map.of());
	}

	private void discard(Transition transition, JobRow row, JobError error, @Nullable String hash) {
		record(row, error, hash);
		if (!transition.isDeadLetter()) {
			end(transition, row, retention(row.queue).discarded());
			return;
		}
		String letters = this.deadLetterQueue.apply(row.queue);
		row.deadLetteredAt = this.now;
		row.deadLetterQueue = letters;
		end(transition, row, retention(letters).deadLetter());
	}

	/** Makes a dead letter of a job that cannot be read, published or admitted. */
	public void bury(JobRow row, JobError error) {
		bury(row, error, null);
	}

	/**
	 * Makes a dead letter of a job that cannot be read, published or admitted.
	 * @param hash the hash of the place in the code; {@code null} if it is not known
	 */
	public void bury(JobRow row, JobError error, @Nullable String hash) {
		discard(Transition.BURY, row, error, hash);
		if (row.adopted) {
			// The worker or the broker that made it a dead letter has notified listeners.
			keep(Transition.BURY, row, error, Map.of());
			return;
		}
		tell(Transition.BURY, row, error);
	}

	/** Makes a dead letter of a job whose last attempt was cut off by a stop. */
	public void cutOff(JobRow row) {
		JobError error = error("interrupted", WORKER_LOST,
				"The last of %d attempts was cut off by the end of its worker.".formatted(row.maxAttempts),
				row.attempt);
		discard(Transition.CUT_OFF, row, error, null);
		tell(Transition.CUT_OFF, row, error);
	}

	/** Discards a waiting job, without a dead letter. */
	public void drop(JobRow row, JobError error) {
		discard(Transition.DROP, row, error, null);
		tell(Transition.DROP, row, error);
	}

	/**
	 * Like {@link #drop}, for a row without its envelope; the caller notifies listeners.
	 */
	public void dropUntold(JobRow row, JobError error) {
		discard(Transition.DROP, row, error, null);
		keep(Transition.DROP, row, error, Map.of());
	}

	/** Makes a dead letter of a job that did not start before its {@code expires_at}. */
	public void expire(JobRow row) {
		Instant expiresAt = (row.expiresAt != null) ? row.expiresAt : this.now;
		String message = "The job expired at %s and was not started before.".formatted(EventText.time(expiresAt));
		JobError error = error("job_expired", JobError.JOB_EXPIRED, message, row.attempt);
		discard(Transition.EXPIRE, row, error, null);
		tell(Transition.EXPIRE, row, error);
	}

	/**
	 * Records that the run of a job was lost. The attempt counts.
	 * @return whether there is another attempt; if not, the job is a dead letter now
	 */
	public boolean lose(JobRow row) {
		String message = "%s did not extend its lease, which ended at %s.".formatted(
				(row.worker != null) ? "Worker '" + row.worker + "'" : "The worker", EventText.time(row.leaseUntil));
		row.retryDelayMillis = null;
		JobError error = error("lease_lost", WORKER_LOST, message, row.attempt);
		if (row.attempt >= row.maxAttempts) {
			discard(Transition.EXHAUST, row, error, null);
			tell(Transition.EXHAUST, row, error);
			return false;
		}
		record(row, error, null);
		tell(Transition.LOSE, row, error);
		return true;
	}

	/** Makes a job available after its run was cut off or lost. */
	public void release(JobRow row, @Nullable Instant relayAt) {
		available(Transition.RELEASE, row, relayAt);
		row.enqueuedAt = this.now;
	}

	/**
	 * Makes a job available that its worker has not begun, at its old place in the queue.
	 */
	public void requeue(JobRow row, @Nullable Instant relayAt) {
		available(Transition.REQUEUE, row, relayAt);
		row.attempt = Math.max(0, row.attempt - 1);
	}

	/**
	 * Records the event that an operator replays a dead letter. To be called while the
	 * row has its dead letter queue.
	 */
	public void retried(JobRow row) {
		event("dead_letter.retried", row, by(EventText.mapOf("replay_count", row.replays + 1)));
	}

	/** Records the event that an operator deletes a dead letter. */
	public void deleted(JobRow row) {
		event("dead_letter.deleted", row, by(EventText.mapOf("dead_lettered_at", EventText.time(row.deadLetteredAt))));
	}

	/** Makes a dead letter or another discarded job available, for an operator. */
	public void replay(JobRow row, @Nullable Instant relayAt) {
		row.attempt = 0;
		row.replayed(this.now);
		row.startedAt = null;
		row.deadLetteredAt = null;
		row.deadLetterQueue = null;
		makeAvailable(row, relayAt);
	}

	/**
	 * Cancels a job. If the job is active, its worker notifies listeners, unless it is a
	 * worker over HTTP.
	 */
	public void cancel(JobRow row, @Nullable String reason) {
		boolean begun = row.state == JobState.ACTIVE;
		boolean toldByWorker = begun && row.leaseMillis == null;
		end(Transition.CANCEL, row, retention(row.queue).cancelled());
		keep(Transition.CANCEL, row, null,
				by((reason != null) ? EventText.mapOf("reason", reason) : EventText.mapOf()));
		if (!toldByWorker) {
			this.told.add(transition(Transition.CANCEL, row, begun ? row.attempt : row.attempt + 1));
		}
	}

	/** Adds for whom the thread acts. */
	private Map<String, @Nullable Object> by(Map<String, @Nullable Object> data) {
		String by = this.actor.get();
		if (by != null) {
			data.put("by", EventText.clip(by, MAX_ACTOR));
		}
		return data;
	}

	/** Records that the worker has ended a cancelled job. */
	public void cancelled(JobRow row) {
		end(Transition.CANCEL, row, retention(row.queue).cancelled());
		keep(Transition.CANCEL, row, null, Map.of());
	}

	/** Hands a job over to the broker. */
	public void handOver(JobRow row) {
		end(Transition.HAND_OVER, row, retention(row.queue).completed());
		tell(Transition.HAND_OVER, row, null);
	}

	/**
	 * Gives a job back to the broker, because the worker that it was delivered to is
	 * silent. The attempt does not count.
	 */
	public void handBack(JobRow row) {
		row.attempt = Math.max(0, row.attempt - 1);
		handOver(row);
	}

	private void end(Transition transition, JobRow row, Duration kept) {
		end(transition, row, kept, JobRow.Change.PROGRESS);
	}

	private void end(Transition transition, JobRow row, Duration kept, JobRow.Change change) {
		become(transition, row);
		row.endedAt = this.now;
		row.dueAt = null;
		row.relayAt = null;
		row.pruneAt = Times.after(this.now, kept);
		row.waitForWorker(null, null);
		endLease(row);
		changed(row, change);
		if (row.workflowId != null && row.state != JobState.HANDED_OVER) {
			this.workflowEnds.add(row);
		}
	}

	private Retention retention(String queue) {
		return this.retention.apply(queue);
	}

	private void record(JobRow row, JobError error, @Nullable String hash) {
		JsonText json = this.codec.json();
		row.errors = json.writeErrors(ErrorHistory.add(json.readErrors(row.errors), error));
		row.errorType = EventText.clip(error.type(), MAX_ERROR_TYPE);
		row.errorHash = hash;
		changed(row, JobRow.Change.FAILURE);
	}

	private JobError error(String type, String code, String message, int attempt) {
		return new JobError(type, code, message, attempt, Rfc3339.utc(this.now), List.of(), Map.of());
	}

	/** Records the events of a transition, and notifies listeners after the commit. */
	private void tell(Transition transition, JobRow row, @Nullable JobError error) {
		keep(transition, row, error, Map.of());
		if (!transition.tellings().isEmpty()) {
			JobTransition told = transition(transition, row, row.attempt)
				.took(Duration.ofMillis(EventText.millis(row.startedAt, this.now)));
			this.told.add((error != null) ? told.error(error) : told);
		}
	}

	/**
	 * Takes the job as it is now, since later transitions of this transaction may change
	 * it.
	 */
	private JobTransition transition(Transition transition, JobRow row, int attempt) {
		return new JobTransition(transition, this.codec.stored(row).job(), attempt, row.maxAttempts);
	}

	/** Records the events of a transition in the feed only. */
	private void keep(Transition transition, JobRow row, @Nullable JobError error,
			Map<String, ? extends @Nullable Object> more) {
		for (Transition.Telling telling : transition.tellings()) {
			Map<String, @Nullable Object> data = EventText.data(telling, row, error, this.now);
			data.putAll(more);
			event(telling.wireName(), row, data);
		}
	}

	private void event(String type, JobRow row, Map<String, ? extends @Nullable Object> more) {
		Map<String, @Nullable Object> data = EventText.mapOf("job_type", row.type, "queue", row.queue);
		if (row.tenant != null) {
			data.put(Tenants.META_KEY, row.tenant);
		}
		data.putAll(more);
		this.events.add(new FeedEvent(type, this.now, row.id.toString(), row.queue, row.tenant, data));
	}

}
