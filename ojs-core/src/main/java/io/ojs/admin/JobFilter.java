package io.ojs.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs an operator means (OJS Admin API §7.1).
 *
 * @param queue only jobs of this queue
 * @param type only jobs of this type, or with a prefix: {@code email.*}
 * @param states only jobs in these states; empty for all
 * @param deadLetters only jobs that are dead letters
 * @param since only jobs created at this time or later; of dead letters, the time at
 * which they became that
 * @param until only jobs created before this time; of dead letters as above
 * @param ids only these jobs, 1,000 at most; empty for all
 * @param tenant only jobs of this tenant
 */
public record JobFilter(@Nullable String queue, @Nullable String type, Set<JobState> states, boolean deadLetters,
		@Nullable Instant since, @Nullable Instant until, Set<String> ids, @Nullable String tenant) {

	/** How many ids may be named. */
	public static final int MAX_IDS = 1000;

	/** All jobs. */
	public static final JobFilter ANY = new JobFilter(null, null, Set.of(), false, null, null, Set.of(), null);

	/**
	 * Checks the filter.
	 * @throws InvalidJobException if the queue or the type could be that of no job
	 */
	public JobFilter {
		if (queue != null) {
			JobRules.queue(queue);
		}
		if (type != null && !prefix(type).isEmpty()) {
			JobRules.type(prefix(type).replaceFirst("\\.$", ""));
		}
		if (ids.size() > MAX_IDS) {
			throw new InvalidJobException("ids", ids.size() + " ids", "must be at most " + MAX_IDS);
		}
		ids = ids.stream().map(JobRules::id).collect(Collectors.toUnmodifiableSet());
		states = Collections.unmodifiableSet(new LinkedHashSet<>(states));
	}

	/**
	 * Whether a type stands for all that begin like it.
	 * @param type the type
	 * @return whether it ends in {@code *}
	 */
	public static boolean isPrefix(String type) {
		return type.endsWith("*");
	}

	/**
	 * What types begin with.
	 * @param type the type, with or without {@code *} behind it
	 * @return the type without it
	 */
	public static String prefix(String type) {
		return isPrefix(type) ? type.substring(0, type.length() - 1) : type;
	}

	/**
	 * Means jobs in these states alone.
	 * @param values the states; none for all
	 * @return a changed copy
	 */
	public JobFilter states(Set<JobState> values) {
		return new JobFilter(this.queue, this.type, values, this.deadLetters, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Means jobs of one queue alone.
	 * @param value the queue; {@code null} for all
	 * @return a changed copy
	 */
	public JobFilter queue(@Nullable String value) {
		return new JobFilter(value, this.type, this.states, this.deadLetters, this.since, this.until, this.ids,
				this.tenant);
	}

	/**
	 * Means jobs that came before a time alone.
	 * @param value the time, as that of the filter; {@code null} for all
	 * @return a changed copy
	 */
	public JobFilter until(@Nullable Instant value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, value, this.ids,
				this.tenant);
	}

	/**
	 * Means dead letters alone.
	 * @return a changed copy
	 */
	public JobFilter onlyDeadLetters() {
		return new JobFilter(this.queue, this.type, this.states, true, this.since, this.until, this.ids, this.tenant);
	}

	/**
	 * Means some jobs alone.
	 * @param values their ids; none for all
	 * @return a changed copy
	 */
	public JobFilter ids(Set<String> values) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, this.until, values,
				this.tenant);
	}

	/**
	 * Means jobs of one tenant alone.
	 * @param value the id of the tenant; {@code null} for all
	 * @return a changed copy
	 */
	public JobFilter tenant(@Nullable String value) {
		return new JobFilter(this.queue, this.type, this.states, this.deadLetters, this.since, this.until, this.ids,
				value);
	}

}
