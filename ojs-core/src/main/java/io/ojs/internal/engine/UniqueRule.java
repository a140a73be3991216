package io.ojs.internal.engine;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;

/**
 * Decides about a unique job that meets others like it (OJS Unique Jobs §5).
 */
public final class UniqueRule {

	private final JobRowCodec codec;

	private final Transitions transitions;

	private final BiConsumer<JobRow, Job> merged;

	/**
	 * Creates the rule.
	 * @param merged writes a row that has taken the content of a new job, and gets what
	 * the job was before
	 */
	public UniqueRule(JobRowCodec codec, Transitions transitions, BiConsumer<JobRow, Job> merged) {
		this.codec = codec;
		this.transitions = transitions;
		this.merged = merged;
	}

	/**
	 * Whether a new job replaces existing ones.
	 * @return whether it does; otherwise the existing jobs stay
	 */
	public static boolean replaces(UniquePolicy policy) {
		return policy.onConflict() == OnConflict.REPLACE || policy.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	/** Returns the states in which an existing job conflicts with a new one. */
	public static Set<JobState> states(UniquePolicy policy) {
		// A job that has ended cannot be replaced, and need not be.
		return policy.states()
			.stream()
			.filter((state) -> !replaces(policy) || !state.isTerminal())
			.collect(Collectors.toSet());
	}

	/** Returns the earliest time of creation of jobs that conflict with a new one. */
	public static Instant since(UniquePolicy policy, Instant createdAt) {
		return (policy.period() != null) ? createdAt.minus(policy.period()) : Instant.EPOCH;
	}

	/**
	 * Decides about a new job that meets others.
	 * @param existing the rows of the jobs in conflict, the newest first; at least one;
	 * locked if the policy {@linkplain #replaces replaces} them
	 * @return the result; replaced jobs are cancelled
	 */
	public Insertion meet(JobRow row, Job job, UniquePolicy policy, List<JobRow> existing) {
		return switch (policy.onConflict()) {
			case REJECT -> new Insertion.Rejected(this.codec.stored(existing.get(0)));
			case IGNORE -> new Insertion.Ignored(this.codec.stored(existing.get(0)));
			case REPLACE -> replace(row, existing);
			case REPLACE_EXCEPT_SCHEDULE -> existing.stream()
				.filter((each) -> each.state == JobState.SCHEDULED)
				.findFirst()
				.map((scheduled) -> merge(row, job, scheduled))
				.orElseGet(() -> replace(row, existing));
		};
	}

	private Insertion replace(JobRow row, List<JobRow> existing) {
		List<StoredJob> replaced = existing.stream().map(this.codec::stored).toList();
		existing.forEach((each) -> this.transitions.cancel(each, "replaced by job " + row.id));
		return new Insertion.Inserted(replaced);
	}

	/**
	 * Merges a new job into an existing one, which keeps its id, its progress and its
	 * schedule.
	 */
	private Insertion merge(JobRow row, Job with, JobRow existing) {
		Job old = this.codec.stored(existing).job();
		Job merged = new Job(with.specVersion(), old.id(), with.type(), with.queue(), with.args(), with.meta(),
				with.priority(), with.timeout(), old.scheduledAt(), with.expiresAt(), with.retry(), with.unique(),
				JobState.SCHEDULED, old.attempt(), old.createdAt(), old.enqueuedAt(), null, null, null, old.errors(),
				with.extensions());
		this.codec.replace(existing, merged, row);
		this.merged.accept(existing, old);
		return new Insertion.Merged(this.codec.stored(existing));
	}

}
