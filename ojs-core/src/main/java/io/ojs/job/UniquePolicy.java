package io.ojs.job;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Which other jobs a job must not meet when it is enqueued, and what becomes of it if it
 * does (OJS Unique Jobs §2). Immutable; each method gives a changed copy. Nothing is
 * checked before the job is made, since a policy can be right as a whole only.
 *
 * <pre>{@code
 * JobRequest.of("invoice.render", invoice).unique((unique) -> unique.argsKeys("number").period(Duration.ofHours(1)))
 * }</pre>
 *
 * @param keys what is compared; {@link UniqueDimension#TYPE} always is
 * @param argsKeys the keys that are compared of those arguments that are objects; empty
 * for all arguments
 * @param metaKeys the keys that are compared of {@code meta}
 * @param period how long a job stands in the way of others, counted from when it was
 * created; {@code null} for as long as it is in one of the states
 * @param states the states in which a job stands in the way of others
 * @param onConflict what becomes of the job that comes second
 */
public record UniquePolicy(Set<UniqueDimension> keys, List<String> argsKeys, List<String> metaKeys,
		@Nullable Duration period, Set<JobState> states, OnConflict onConflict) {

	/** The states that are no end of a job. */
	public static final Set<JobState> DEFAULT_STATES = ordered(
			List.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.SCHEDULED, JobState.RETRYABLE, JobState.PENDING));

	/** One job of its type and version that has not ended; a second one is refused. */
	public static final UniquePolicy DEFAULT = new UniquePolicy(Set.of(UniqueDimension.VERSION), List.of(), List.of(),
			null, DEFAULT_STATES, OnConflict.REJECT);

	/** Longest {@link #period}: what a database can count back. */
	public static final Duration MAX_PERIOD = Duration.ofDays(36_500);

	public UniquePolicy {
		Set<UniqueDimension> compared = new LinkedHashSet<>(keys);
		compared.add(UniqueDimension.TYPE);
		keys = Collections.unmodifiableSet(compared);
		argsKeys = List.copyOf(argsKeys);
		metaKeys = List.copyOf(metaKeys);
		states = ordered(states);
	}

	private static <T> Set<T> ordered(Collection<T> values) {
		return Collections.unmodifiableSet(new LinkedHashSet<>(values));
	}

	/**
	 * Sets what is compared.
	 * @param values any of them; the type is compared without being named, the version
	 * only if it is
	 * @return a changed copy
	 */
	public UniquePolicy keys(UniqueDimension... values) {
		return new UniquePolicy(new LinkedHashSet<>(Arrays.asList(values)), this.argsKeys, this.metaKeys, this.period,
				this.states, this.onConflict);
	}

	/**
	 * Compares these keys of the arguments.
	 * @param values keys, each of which exactly one argument has
	 * @return a copy that compares them
	 */
	public UniquePolicy argsKeys(String... values) {
		return new UniquePolicy(with(UniqueDimension.ARGS), List.of(values), this.metaKeys, this.period, this.states,
				this.onConflict);
	}

	/**
	 * Compares these keys of {@code meta}.
	 * @param values keys that {@code meta} has
	 * @return a copy that compares them
	 */
	public UniquePolicy metaKeys(String... values) {
		return new UniquePolicy(with(UniqueDimension.META), this.argsKeys, List.of(values), this.period, this.states,
				this.onConflict);
	}

	/**
	 * Leaves something out of what is compared.
	 * @param dimension what is not compared; the type always is
	 * @return a changed copy
	 */
	public UniquePolicy without(UniqueDimension dimension) {
		Set<UniqueDimension> compared = new LinkedHashSet<>(this.keys);
		compared.remove(dimension);
		return new UniquePolicy(compared, this.argsKeys, this.metaKeys, this.period, this.states, this.onConflict);
	}

	private Set<UniqueDimension> with(UniqueDimension dimension) {
		Set<UniqueDimension> compared = new LinkedHashSet<>(this.keys);
		compared.add(dimension);
		return compared;
	}

	/**
	 * Limits how long a job stands in the way of others.
	 * @param value counted from when that job was created; more than zero, at most 36,500
	 * days
	 * @return a changed copy
	 */
	public UniquePolicy period(Duration value) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, value, this.states, this.onConflict);
	}

	/**
	 * Sets the states in which a job stands in the way of others.
	 * @param values at least one
	 * @return a changed copy
	 */
	public UniquePolicy states(JobState... values) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, this.period, ordered(Arrays.asList(values)),
				this.onConflict);
	}

	/**
	 * Sets what becomes of the job that comes second.
	 * @param value refuse, drop, or replace the first one
	 * @return a changed copy
	 */
	public UniquePolicy onConflict(OnConflict value) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, this.period, this.states, value);
	}

	/**
	 * Checks the policy (OJS Unique Jobs §2.2).
	 * @return this policy
	 * @throws InvalidJobException if it breaks a rule; the field is named from the job's
	 * point of view, such as {@code unique.meta_keys}
	 */
	public UniquePolicy check() {
		if (this.keys.contains(UniqueDimension.META) && this.metaKeys.isEmpty()) {
			throw new InvalidJobException("unique.meta_keys", this.metaKeys,
					"must name what is compared of meta, because 'unique.keys' has meta");
		}
		names("unique.args_keys", this.argsKeys, UniqueDimension.ARGS);
		names("unique.meta_keys", this.metaKeys, UniqueDimension.META);
		if (this.period != null
				&& (this.period.isZero() || this.period.isNegative() || this.period.compareTo(MAX_PERIOD) > 0)) {
			throw new InvalidJobException("unique.period", this.period,
					"must be longer than zero and at most 36500 days; leave it out for no limit");
		}
		if (this.states.isEmpty()) {
			throw new InvalidJobException("unique.states", this.states,
					"must name at least one state; leave it out for all that are no end");
		}
		return this;
	}

	private void names(String field, List<String> names, UniqueDimension dimension) {
		if (!names.isEmpty() && !this.keys.contains(dimension)) {
			throw new InvalidJobException(field, names,
					"must not be set unless 'unique.keys' has " + dimension.wireName());
		}
		if (new HashSet<>(names).size() < names.size()) {
			throw new InvalidJobException(field, names, "must not name a key twice");
		}
	}

}
