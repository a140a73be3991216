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
 * Which existing jobs block a new job when it is enqueued, and what happens then (OJS
 * Unique Jobs §2). Immutable; each method returns a changed copy. The methods check
 * nothing, because only a complete policy can be valid; {@link #check} does.
 *
 * <pre>{@code
 * JobRequest.of("invoice.render", invoice).unique((unique) -> unique.argsKeys("number").period(Duration.ofHours(1)))
 * }</pre>
 * <p>
 * Begin with {@link #DEFAULT}: the constructor changes when a component is added.
 *
 * @param keys the parts that are compared; always includes {@link UniqueDimension#TYPE}
 * @param argsKeys the keys that are compared in those arguments that are objects; empty
 * to compare all arguments
 * @param metaKeys the keys of {@code meta} that are compared
 * @param period how long an existing job blocks the new one, from its creation;
 * {@code null} for as long as it is in one of the states
 * @param states the states in which an existing job blocks the new one
 * @param onConflict what happens when an existing job blocks the new one
 */
public record UniquePolicy(Set<UniqueDimension> keys, List<String> argsKeys, List<String> metaKeys,
		@Nullable Duration period, Set<JobState> states, OnConflict onConflict) {

	/** The states of a job that has not ended. */
	public static final Set<JobState> DEFAULT_STATES = ordered(
			List.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.SCHEDULED, JobState.RETRYABLE, JobState.PENDING));

	/**
	 * Rejects a second job of the same type and version while the first one has not
	 * ended.
	 */
	public static final UniquePolicy DEFAULT = new UniquePolicy(Set.of(UniqueDimension.VERSION), List.of(), List.of(),
			null, DEFAULT_STATES, OnConflict.REJECT);

	/** The longest {@link #period}, so that databases can subtract it from a date. */
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
	 * Sets the parts that are compared.
	 * @param values the parts; the type is always compared, the version only if it is
	 * among the values
	 * @return a changed copy
	 */
	public UniquePolicy keys(UniqueDimension... values) {
		return new UniquePolicy(new LinkedHashSet<>(Arrays.asList(values)), this.argsKeys, this.metaKeys, this.period,
				this.states, this.onConflict);
	}

	/**
	 * Sets the keys of the arguments that are compared.
	 * @param values keys, each of which exactly one argument has
	 * @return a copy that compares them
	 */
	public UniquePolicy argsKeys(String... values) {
		return new UniquePolicy(with(UniqueDimension.ARGS), List.of(values), this.metaKeys, this.period, this.states,
				this.onConflict);
	}

	/**
	 * Sets the keys of {@code meta} that are compared.
	 * @param values keys that {@code meta} has
	 * @return a copy that compares them
	 */
	public UniquePolicy metaKeys(String... values) {
		return new UniquePolicy(with(UniqueDimension.META), this.argsKeys, List.of(values), this.period, this.states,
				this.onConflict);
	}

	/**
	 * Removes a part from those that are compared.
	 * @param dimension the part to remove; the type cannot be removed
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
	 * Sets how long an existing job blocks the new one.
	 * @param value counted from the creation of the existing job; more than zero, at most
	 * 36,500 days
	 * @return a changed copy
	 */
	public UniquePolicy period(Duration value) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, value, this.states, this.onConflict);
	}

	/**
	 * Sets the states in which an existing job blocks the new one.
	 * @param values at least one
	 * @return a changed copy
	 */
	public UniquePolicy states(JobState... values) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, this.period, ordered(Arrays.asList(values)),
				this.onConflict);
	}

	/**
	 * Sets what happens when an existing job blocks the new one.
	 * @param value reject or drop the new job, or replace the existing one
	 * @return a changed copy
	 */
	public UniquePolicy onConflict(OnConflict value) {
		return new UniquePolicy(this.keys, this.argsKeys, this.metaKeys, this.period, this.states, value);
	}

	/**
	 * Checks the policy (OJS Unique Jobs §2.2).
	 * @return this policy
	 * @throws InvalidJobException if it breaks a rule; the field is a path in the
	 * envelope, such as {@code unique.meta_keys}
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
					"must name at least one state; leave it out for all states of jobs that have not ended");
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
