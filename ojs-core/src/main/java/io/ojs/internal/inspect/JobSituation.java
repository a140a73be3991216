package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.List;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;
import org.jspecify.annotations.Nullable;

/**
 * A job that the store has, and what its start depends on beside limits and workers.
 *
 * @param row its row
 * @param errors the errors of its attempts, the oldest first
 * @param pause the pause of its queue; {@code null} if the queue is not paused
 * @param before how many available jobs of its queue are before it, of its tenant alone
 * if the job waits for the turn of the tenant or the tenant asks;
 * {@link InspectionStore#COUNTED} or more if there are more; negative if it is in no line
 * @param leaseEnd when the lease of its run ends unless it is extended; {@code null}
 * without a run
 */
public record JobSituation(JobRow row, List<JobError> errors, @Nullable Pause pause, int before,
		@Nullable Instant leaseEnd) {

	public JobSituation {
		errors = List.copyOf(errors);
	}

	/**
	 * The pause of a queue.
	 *
	 * @param by who has paused it; {@code null} if that is not known
	 */
	public record Pause(Instant since, @Nullable String by) {
	}

}
