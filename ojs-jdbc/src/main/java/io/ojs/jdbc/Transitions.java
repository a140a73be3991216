package io.ojs.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.store.Retention;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of jobs in one transaction: changes locked rows and tells of it.
 * {@link StoreDatabase#save} writes both.
 */
final class Transitions {

	/** The code of the error of a run that nobody ended. */
	static final String WORKER_LOST = "WORKER_LOST";

	private static final int MAX_ERROR_TYPE = 255;

	private final StoreDatabase database;

	private final Instant now;

	private final Set<JobRow> changed = new LinkedHashSet<>();

	private final List<Event> events = new ArrayList<>();

	private final List<WorkflowEnd> workflowEnds = new ArrayList<>();

	Transitions(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = Times.micros(now);
	}

	Instant now() {
		return this.now;
	}

	Set<JobRow> changed() {
		return this.changed;
	}

	List<Event> events() {
		return this.events;
	}

	/** What workflows have to be told. */
	List<WorkflowEnd> workflowEnds() {
		return this.workflowEnds;
	}

	private void changed(JobRow row, List<Column> columns) {
		row.changes(columns);
		this.changed.add(row);
	}

	/** A job is new: available, scheduled or pending. */
	void inserted(JobRow row) {
		Map<String, @Nullable Object> more = new LinkedHashMap<>();
		if (row.state == JobState.SCHEDULED) {
			more.put("scheduled_at", EventText.time(row.dueAt));
			tell("job.scheduled", row, more);
		}
		else if (row.state == JobState.AVAILABLE) {
			enqueued(row);
		}
	}

	private void enqueued(JobRow row) {
		Map<String, @Nullable Object> more = new LinkedHashMap<>();
		more.put("priority", row.priority);
		if (row.uniqueKey != null) {
			more.put("unique_key", row.uniqueKey);
		}
		tell("job.enqueued", row, more);
	}

	/** A job is ready, because it is due, was activated or is replayed. */
	void makeAvailable(JobRow row, @Nullable Instant relayAt) {
		boolean again = row.state == JobState.RETRYABLE;
		available(row, relayAt);
		row.enqueuedAt = this.now;
		if (!again) {
			enqueued(row);
		}
	}

	/** A job may not start yet, and is to come again at a time. */
	void reschedule(JobRow row, Instant dueAt) {
		row.state = JobState.SCHEDULED;
		row.dueAt = Times.micros(dueAt);
		row.relayAt = row.dueAt;
		endLease(row);
		changed(row, JobRow.PROGRESS);
		tell("job.scheduled", row, EventText.mapOf("scheduled_at", EventText.time(row.dueAt)));
	}

	/** A limit does not let a job start, or does at last. */
	void limited(String type, JobRow row, String key) {
		tell(type, row, EventText.mapOf("key", key, "job_id", row.id.toString()));
	}

	private void available(JobRow row, @Nullable Instant relayAt) {
		row.state = JobState.AVAILABLE;
		row.dueAt = null;
		row.relayAt = relayAt;
		// The relay asks whether it is its tenant's turn.
		row.heldBack = null;
		row.hold(null, null);
		endLease(row);
		changed(row, JobRow.PROGRESS);
	}

	/** The job waits for a worker that can run its version. */
	void hold(JobRow row, Instant since, Instant until) {
		if (row.state == JobState.ACTIVE) {
			release(row, null);
		}
		else if (row.state != JobState.AVAILABLE) {
			makeAvailable(row, null);
		}
		row.relayAt = Times.micros(until);
		// Whoever has waited for its limit meanwhile need not wait for its worker.
		row.rateGranted = false;
		// It is not at the broker any more, and asks for the turn of its tenant again.
		row.heldBack = null;
		row.hold(Times.micros(since), row.relayAt);
		changed(row, JobRow.PROGRESS);
	}

	private static void endLease(JobRow row) {
		row.leaseUntil = null;
		row.timeoutAt = null;
		row.leaseMillis = null;
		row.worker = null;
	}

	/** A worker begins. */
	void start(JobRow row, String worker, Instant leaseUntil) {
		row.state = JobState.ACTIVE;
		row.attempt++;
		// Not counted: a replica that took over without the last commits would count the
		// same again, and two workers would hold the same lease.
		row.run = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
		changed(row, JobRow.START);
		if (row.endedAt != null) {
			// It was handed over, and its worker reports all the same.
			row.endedAt = null;
			row.pruneAt = null;
			changed(row, JobRow.PROGRESS);
		}
		if (row.leaseMillis != null || row.timeoutAt != null) {
			// They are of the run before, whose worker had fetched the job.
			row.leaseMillis = null;
			row.timeoutAt = null;
			changed(row, JobRow.PROGRESS);
		}
		row.startedAt = this.now;
		row.dueAt = null;
		row.relayAt = null;
		row.hold(null, null);
		row.leaseUntil = Times.micros(leaseUntil);
		row.worker = EventText.worker(worker);
		tell("job.started", row, EventText.mapOf("worker_id", row.worker, "attempt", row.attempt));
	}

	/** A worker that nobody can interrupt begins. */
	void start(JobRow row, String worker, Duration lease, @Nullable Duration timeout) {
		start(row, worker, this.now.plus(lease));
		row.leaseMillis = lease.toMillis();
		row.timeoutAt = (timeout != null) ? Times.after(this.now, timeout) : null;
		row.leaseUntil = row.limited(this.now.plus(lease));
		changed(row, JobRow.PROGRESS);
	}

	/** A worker begins at last: nobody told it that it might. */
	void resume(JobRow row, Instant leaseUntil) {
		row.leaseUntil = Times.micros(leaseUntil);
		changed(row, JobRow.PROGRESS);
	}

	/** The handler succeeded. */
	void complete(JobRow row, @Nullable Object result) {
		row.result = this.database.jobs().json().writeOrNull(result);
		Map<String, @Nullable Object> more = EventText.mapOf("duration_ms", duration(row), "attempt", row.attempt);
		more.put("result", result);
		end(row, JobState.COMPLETED, retention(row.queue).completed(), JobRow.SUCCESS);
		tell("job.completed", row, more);
	}

	/** The handler failed, and there is another attempt. */
	void retry(JobRow row, JobError error, Instant dueAt, Instant relayAt) {
		failed(row, error, true);
		row.state = JobState.RETRYABLE;
		row.dueAt = Times.micros(dueAt);
		row.retryDelayMillis = Math.max(0, Duration.between(this.now, dueAt).toMillis());
		row.relayAt = relayAt;
		endLease(row);
		changed(row, JobRow.PROGRESS);
		Map<String, @Nullable Object> more = EventText.mapOf("attempt", row.attempt, "max_attempts", row.maxAttempts);
		more.put("next_retry_at", EventText.time(dueAt));
		more.put("error", EventText.brief(error));
		tell("job.retrying", row, more);
	}

	/** The handler failed for good. */
	void discard(JobRow row, JobError error, boolean exhausted, boolean deadLetter) {
		failed(row, error, false);
		if (exhausted) {
			tell("job.retry_exhausted", row,
					EventText.mapOf("total_attempts", row.attempt, "last_error", EventText.brief(error)));
		}
		discarded(row, error, deadLetter);
	}

	private void discarded(JobRow row, JobError error, boolean deadLetter) {
		Map<String, @Nullable Object> more = EventText.mapOf("total_attempts", row.attempt, "last_error",
				EventText.brief(error));
		if (!deadLetter) {
			end(row, JobState.DISCARDED, retention(row.queue).discarded());
			tell("job.discarded", row, more);
			return;
		}
		String letters = this.database.options().deadLetterQueue().apply(row.queue);
		row.deadLetteredAt = this.now;
		row.deadLetterQueue = letters;
		end(row, JobState.DISCARDED, retention(letters).deadLetter());
		more.put("dead_letter_queue", letters);
		tell("job.dead_lettered", row, more);
	}

	/** Nobody will run the job, for a reason that is no attempt's: a dead letter. */
	void bury(JobRow row, JobError error) {
		record(row, error);
		discarded(row, error, true);
	}

	/** Nobody will run the job, and nobody wants to: no dead letter. */
	void drop(JobRow row, JobError error) {
		record(row, error);
		discarded(row, error, false);
	}

	/** The job was not begun before its {@code expires_at}: a dead letter. */
	void expire(JobRow row) {
		Instant expiresAt = (row.expiresAt != null) ? row.expiresAt : this.now;
		String message = "The job expired at %s and was not started before.".formatted(EventText.time(expiresAt));
		JobError error = error("job_expired", JobError.JOB_EXPIRED, message, row.attempt);
		tell("job.expired", row, EventText.mapOf("created_at", EventText.time(row.createdAt), "expired_at",
				EventText.time(this.now), "ttl_ms", Duration.between(row.createdAt, expiresAt).toMillis()));
		bury(row, error);
	}

	/**
	 * The lease ran out: the run was lost, and counts.
	 * @return whether there is another attempt; if not, the job is a dead letter now
	 */
	boolean lose(JobRow row) {
		String message = "The worker %s was not heard of before its lease ended at %s."
			.formatted((row.worker != null) ? "'" + row.worker + "'" : "", EventText.time(row.leaseUntil));
		row.retryDelayMillis = null;
		JobError error = error("lease_lost", WORKER_LOST, message, row.attempt);
		if (row.attempt >= row.maxAttempts) {
			discard(row, error, true, true);
			return false;
		}
		failed(row, error, true);
		return true;
	}

	/** The lost run's job is ready for another worker. */
	void release(JobRow row, @Nullable Instant relayAt) {
		available(row, relayAt);
		row.enqueuedAt = this.now;
	}

	/** The worker has not even tried: the job is where it was. */
	void requeue(JobRow row, @Nullable Instant relayAt) {
		available(row, relayAt);
		row.attempt = Math.max(0, row.attempt - 1);
	}

	/** An operator is about to have a dead letter run again; told where it died. */
	void retried(JobRow row) {
		tell("dead_letter.retried", row, EventText.mapOf("replay_count", row.replays + 1));
	}

	/** An operator has deleted a dead letter. */
	void deleted(JobRow row) {
		tell("dead_letter.deleted", row, EventText.mapOf("dead_lettered_at", EventText.time(row.deadLetteredAt)));
	}

	/** An operator has a dead letter, or whatever else was discarded, run again. */
	void replay(JobRow row, @Nullable Instant relayAt) {
		row.attempt = 0;
		row.replays++;
		row.startedAt = null;
		row.endedAt = null;
		row.pruneAt = null;
		row.deadLetteredAt = null;
		row.deadLetterQueue = null;
		// Its place is another's by now: it has to ask again.
		row.rateGranted = false;
		row.waitingFor = null;
		row.waitingUntil = null;
		row.waitingRank = JobRow.IN_ORDER;
		makeAvailable(row, relayAt);
	}

	/** The job was stopped on purpose. */
	void cancel(JobRow row, @Nullable String reason) {
		end(row, JobState.CANCELLED, retention(row.queue).cancelled());
		Map<String, @Nullable Object> more = new LinkedHashMap<>();
		if (reason != null) {
			more.put("reason", reason);
		}
		tell("job.cancelled", row, more);
	}

	/** The broker has the job, and from now on it is the broker's. */
	void handOver(JobRow row) {
		end(row, JobState.HANDED_OVER, retention(row.queue).completed());
		tell("job.handed_over", row, Map.of());
	}

	/** A worker that the broker delivers to is silent: its run does not count. */
	void handBack(JobRow row) {
		row.attempt = Math.max(0, row.attempt - 1);
		handOver(row);
	}

	private void end(JobRow row, JobState state, Duration kept) {
		end(row, state, kept, JobRow.PROGRESS);
	}

	private void end(JobRow row, JobState state, Duration kept, List<Column> columns) {
		row.state = state;
		row.endedAt = this.now;
		row.dueAt = null;
		row.relayAt = null;
		row.pruneAt = Times.after(this.now, kept);
		row.hold(null, null);
		endLease(row);
		changed(row, columns);
		if (row.workflowId != null && state != JobState.HANDED_OVER) {
			this.workflowEnds.add(new WorkflowEnd(row.workflowId, row));
		}
	}

	private Retention retention(String queue) {
		return this.database.options().retention().apply(queue);
	}

	private void failed(JobRow row, JobError error, boolean retryable) {
		record(row, error);
		Map<String, @Nullable Object> told = EventText.brief(error);
		told.put("retryable", retryable);
		tell("job.failed", row, EventText.mapOf("attempt", row.attempt, "error", told, "duration_ms", duration(row)));
	}

	private void record(JobRow row, JobError error) {
		JsonText json = this.database.jobs().json();
		row.errors = json.writeErrors(JobError.history(json.readErrors(row.errors), error));
		row.errorType = EventText.clip(error.type(), MAX_ERROR_TYPE);
		changed(row, JobRow.ENDS);
	}

	private JobError error(String type, String code, String message, int attempt) {
		return new JobError(type, code, message, attempt, Rfc3339.utc(this.now), List.of(), Map.of());
	}

	private long duration(JobRow row) {
		return (row.startedAt != null) ? Math.max(0, Duration.between(row.startedAt, this.now).toMillis()) : 0;
	}

	private void tell(String type, JobRow row, Map<String, ? extends @Nullable Object> more) {
		Map<String, @Nullable Object> data = EventText.mapOf("job_type", row.type, "queue", row.queue);
		if (row.tenant != null) {
			data.put(Tenants.META_KEY, row.tenant);
		}
		data.putAll(more);
		this.events.add(new Event(type, this.now, row.id.toString(), row.queue, row.tenant, data));
	}

}
