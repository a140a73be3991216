package io.ojs.engine;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.Insertion;
import io.ojs.store.StoredJob;

/**
 * What becomes of a unique job that meets others like it (OJS Unique Jobs §5).
 */
public final class UniqueRule {

	private final JobRowCodec codec;

	private final Transitions transitions;

	private final Consumer<JobRow> merged;

	/**
	 * Creates the rule.
	 * @param codec makes jobs of rows
	 * @param transitions is told of the jobs that give way
	 * @param merged is told of a row that has another content from now on
	 */
	public UniqueRule(JobRowCodec codec, Transitions transitions, Consumer<JobRow> merged) {
		this.codec = codec;
		this.transitions = transitions;
		this.merged = merged;
	}

	/**
	 * Whether existing jobs give way to a new one.
	 * @param policy what the new one says
	 * @return whether they do; otherwise the new one does
	 */
	public static boolean replaces(UniquePolicy policy) {
		return policy.onConflict() == OnConflict.REPLACE || policy.onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	/**
	 * The states in which an existing job stands in the way of a new one.
	 * @param policy what the new one says
	 * @return the states
	 */
	public static Set<JobState> states(UniquePolicy policy) {
		// A job that has ended cannot give way, and need not.
		return policy.states()
			.stream()
			.filter((state) -> !replaces(policy) || !state.isTerminal())
			.collect(Collectors.toSet());
	}

	/**
	 * Since when an existing job was created that stands in the way of a new one.
	 * @param policy what the new one says
	 * @param createdAt when the new one was created
	 * @return the moment
	 */
	public static Instant since(UniquePolicy policy, Instant createdAt) {
		return (policy.period() != null) ? createdAt.minus(policy.period()) : Instant.EPOCH;
	}

	/**
	 * Decides about a new job that meets others.
	 * @param row its row
	 * @param job the job
	 * @param policy what it says
	 * @param existing the rows of those that stand in its way, the newest first; at least
	 * one; locked if the policy {@linkplain #replaces replaces} them
	 * @return what becomes of it; those that give way are cancelled
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

	/** The existing job becomes what the new one is, and keeps its name and its time. */
	private Insertion merge(JobRow row, Job with, JobRow existing) {
		Job old = this.codec.stored(existing).job();
		Job merged = new Job(with.specVersion(), old.id(), with.type(), with.queue(), with.args(), with.meta(),
				with.priority(), with.timeout(), old.scheduledAt(), with.expiresAt(), with.retry(), with.unique(),
				JobState.SCHEDULED, old.attempt(), old.createdAt(), old.enqueuedAt(), null, null, null, old.errors(),
				with.extensions());
		this.codec.replace(existing, merged, row);
		this.merged.accept(existing);
		return new Insertion.Merged(this.codec.stored(existing));
	}

}
