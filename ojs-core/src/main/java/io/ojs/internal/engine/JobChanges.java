package io.ojs.internal.engine;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.ojs.event.internal.Transition;
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
	 * @throws IllegalStateTransitionException if the job has ended or is handed over
	 * @see JobStore#cancel
	 */
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return change(jobId, now, "cancel a job", Transition.CANCEL,
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
		return change(jobId, now, "activate a job", Transition.ACTIVATE,
				(transitions, row) -> transitions.makeAvailable(row, relayAt))
			.map(Change::after);
	}

	private Optional<Change> change(String jobId, Instant now, String what, Transition transition,
			BiConsumer<Transitions, JobRow> apply) {
		Optional<Change> change = JobRow.id(jobId).flatMap((id) -> this.table.write(what, () -> {
			JobRow row = this.table.lock(List.of(id), true).get(id);
			if (row == null) {
				return Optional.empty();
			}
			StoredJob before = this.table.codec().stored(row);
			if (!transition.from().contains(row.state)) {
				return Optional.of(new Change(row.state, before, before));
			}
			JobState state = row.state;
			Transitions transitions = this.table.transitions(now);
			apply.accept(transitions, row);
			this.table.save(transitions);
			return Optional.of(new Change(state, before, this.table.codec().stored(row)));
		}));
		// Thrown after the work, so that the caller's transaction is not rolled back.
		change.filter((done) -> !transition.from().contains(done.from())).ifPresent((done) -> {
			throw new IllegalStateTransitionException(done.from(), transition.to());
		});
		return change;
	}

	private record Change(JobState from, StoredJob before, StoredJob after) {
	}

}
