package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.List;

import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Why a job does not run.
 *
 * @param jobId the id of the job
 * @param state the state of the job; {@code null} if its workflow has not enqueued it
 * @param asOf the time of the answer
 * @param reasons the reasons, the most important first; at least one
 */
public record Explanation(String jobId, @Nullable JobState state, Instant asOf, List<Reason> reasons) {

	public Explanation {
		reasons = List.copyOf(reasons);
	}

}
