package io.ojs.test.jobs;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import org.jspecify.annotations.Nullable;

/**
 * A unique job that is to be kept, and those that it meets (OJS Unique Jobs §5).
 *
 * @param policy what the job says
 * @param existing the jobs like it that stand in its way, the newest first; at least one
 */
record UniqueMeeting(UniquePolicy policy, List<KeptJob> existing) {

	/**
	 * Looks for what stands in the way of a job.
	 * @return {@code null} if nothing does
	 */
	static @Nullable UniqueMeeting of(Job job, @Nullable String key, Collection<KeptJob> all, Instant now) {
		UniquePolicy policy = job.unique();
		if (policy == null || key == null) {
			return null;
		}
		Instant since = (policy.period() != null) ? now.minus(policy.period()) : Instant.EPOCH;
		List<KeptJob> existing = all.stream()
			.filter((other) -> key.equals(other.uniqueKey()) && policy.states().contains(other.state()))
			// What has ended cannot give way, and need not.
			.filter((other) -> !replaces(policy) || !other.state().isTerminal())
			.filter((other) -> other.createdAt().isAfter(since))
			.sorted(Comparator.comparing(KeptJob::number).reversed())
			.toList();
		return existing.isEmpty() ? null : new UniqueMeeting(policy, existing);
	}

	private static boolean replaces(UniquePolicy policy) {
		return policy.onConflict() == OnConflict.REPLACE || policy.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	KeptJob newest() {
		return this.existing.get(0);
	}

	/** The one that is given the new one's arguments, if that is what is to be done. */
	@Nullable KeptJob merged() {
		return (this.policy.onConflict() != OnConflict.REPLACE_EXCEPT_SCHEDULE) ? null
				: this.existing.stream()
					.filter((other) -> other.state() == JobState.SCHEDULED)
					.findFirst()
					.orElse(null);
	}

}
