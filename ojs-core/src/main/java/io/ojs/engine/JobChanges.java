package io.ojs.engine;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobState;
import io.ojs.store.JobStore;
import io.ojs.store.StoredJob;

/**
 * Changes of single jobs that callers ask for, as {@link JobStore} describes them, on
 * rows of any table of jobs.
 */
public final class JobChanges {

	private final JobTable table;

	/**
	 * Creates it.
	 * @param table keeps the jobs
	 */
	public JobChanges(JobTable table) {
		this.table = table;
	}

	/**
	 * Cancels a job.
	 * @param jobId the id of the job
	 * @param now when
	 * @return the job before; empty if there is none
	 * @throws IllegalStateTransitionException if it has ended
	 * @see JobStore#cancel
	 */
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return change(jobId, now, "cancel a job", JobState.CANCELLED,
				(transitions, row) -> transitions.cancel(row, null))
			.map(Change::before);
	}

	/**
	 * Makes a pending job available.
	 * @param jobId the id of the job
	 * @param now when
	 * @param relayAt when the relay takes care of it
	 * @return the job, available; empty if there is none
	 * @throws IllegalStateTransitionException if it is not pending
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
		// Not thrown within: the caller's transaction may go on.
		change.filter((done) -> !allowed(done.from(), next)).ifPresent((done) -> {
			throw new IllegalStateTransitionException(done.from(), next);
		});
		return change;
	}

	/** Retryable and scheduled jobs become available too, but not this way. */
	private static boolean allowed(JobState from, JobState next) {
		return (next == JobState.AVAILABLE) ? from == JobState.PENDING : from.canBecome(next);
	}

	private record Change(JobState from, StoredJob before, StoredJob after) {
	}

}
