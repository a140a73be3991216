package io.ojs.internal.engine;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;

/**
 * Cancels and activates single jobs, as {@link JobStore} describes it, on rows of any
 * {@link JobTable}.
 */
public final class JobChanges {

	private final JobTable table;

	public JobChanges(JobTable table) {
		this.table = table;
	}

	/**
	 * Cancels a job.
	 * @return the job before it was cancelled; empty if the store does not have it
	 * @throws IllegalStateTransitionException if the job has ended
	 * @see JobStore#cancel
	 */
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return change(jobId, now, "cancel a job", JobState.CANCELLED,
				(transitions, row) -> transitions.cancel(row, null))
			.map(Change::before);
	}

	/**
	 * Makes a pending job available.
	 * @return the job, now available; empty if the store does not have it
	 * @throws IllegalStateTransitionException if the job is not pending
	 * @see JobStore#activate
	 */
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		return change(jobId, now, "activate a job", JobState.AVAILABLE,
				(transitions, row) -> transitions.makeAvailable(row, relayAt))
			.map(Change::after);
	}

	private Optional<Change> change(String jobId, Instant now, String what, JobState next,
			BiConsumer<Transitions, JobRow> transition) {
		Optional<Change> change = JobRow.id(jobId).flatMap((id) -> this.table.write(what, () -> {
			JobRow row = this.table.lock(List.of(id), true).get(id);
			if (row == null) {
				return Optional.empty();
			}
			StoredJob before = this.table.codec().stored(row);
			if (!allowed(row.state, next)) {
				return Optional.of(new Change(row.state, before, before));
			}
			JobState state = row.state;
			Transitions transitions = this.table.transitions(now);
			transition.accept(transitions, row);
			this.table.save(transitions);
			return Optional.of(new Change(state, before, this.table.codec().stored(row)));
		}));
		// Thrown after the work, so that the caller's transaction is not rolled back.
		change.filter((done) -> !allowed(done.from(), next)).ifPresent((done) -> {
			throw new IllegalStateTransitionException(done.from(), next);
		});
		return change;
	}

	/**
	 * Whether a caller may ask for a transition. The time makes retryable and scheduled
	 * jobs available, not a caller.
	 */
	private static boolean allowed(JobState from, JobState next) {
		return (next == JobState.AVAILABLE) ? from == JobState.PENDING : from.canBecome(next);
	}

	private record Change(JobState from, StoredJob before, StoredJob after) {
	}

}
