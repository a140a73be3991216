package io.ojs.deadletter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.deadletter.internal.ReplayMarks;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.retry.RetryOverrides;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a job when it is replayed (OJS Dead Letter §6.3). Values that are
 * {@code null} or empty stay as they were. A replay from the broker changes the queue,
 * the priority and the maximum number of attempts, and rejects other changes with an
 * {@link InvalidDeadLetterRequestException}. Immutable; each method returns a changed
 * copy.
 *
 * @param queue the queue to replay to
 * @param priority −100 to 100, higher first
 * @param args all arguments; data, as those of a new job
 * @param meta entries of {@code meta} that are added or replaced; data
 * @param retry fields of the retry policy that are added or replaced
 */
public record ReplayOverrides(@Nullable String queue, @Nullable Integer priority, @Nullable List<@Nullable Object> args,
		Map<String, @Nullable Object> meta, @Nullable RetryOverrides retry) {

	/** Changes nothing. */
	public static final ReplayOverrides NONE = new ReplayOverrides(null, null, null, Map.of(), null);

	/**
	 * Checks the values. Arguments and {@code meta} are checked when they are written.
	 * @throws InvalidJobException if a value breaks a rule
	 */
	public ReplayOverrides {
		if (queue != null) {
			JobRules.queue(queue);
		}
		if (priority != null) {
			JobRules.priority(priority);
		}
		args = (args != null) ? Collections.unmodifiableList(new ArrayList<>(args)) : null;
		meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
		for (String counted : List.of(ReplayMarks.COUNT, ReplayMarks.LAST_AT)) {
			if (meta.containsKey(counted)) {
				throw new InvalidJobException("meta." + counted, meta.get(counted),
						"is counted by replays and must not be set");
			}
		}
		if (meta.containsKey(Tenants.META_KEY)) {
			throw new InvalidJobException("meta." + Tenants.META_KEY, meta.get(Tenants.META_KEY),
					"must not be set: a job stays its tenant's");
		}
	}

	/**
	 * Replays to another queue.
	 * @param value the queue
	 * @return a copy with the queue
	 */
	public ReplayOverrides queue(String value) {
		return new ReplayOverrides(value, this.priority, this.args, this.meta, this.retry);
	}

	/**
	 * Replays with another priority.
	 * @param value −100 to 100, higher first
	 * @return a copy with the priority
	 */
	public ReplayOverrides priority(int value) {
		return new ReplayOverrides(this.queue, value, this.args, this.meta, this.retry);
	}

	/**
	 * Replays with other arguments.
	 * @param values all arguments, as those of a new job
	 * @return a copy with the arguments
	 */
	public ReplayOverrides args(@Nullable Object... values) {
		return new ReplayOverrides(this.queue, this.priority, Arrays.asList(values), this.meta, this.retry);
	}

	/**
	 * Adds an entry to {@code meta}, or replaces it.
	 * @param key its name
	 * @param value its value; data
	 * @return a copy with the entry
	 */
	public ReplayOverrides meta(String key, @Nullable Object value) {
		Map<String, @Nullable Object> more = new LinkedHashMap<>(this.meta);
		more.put(key, value);
		return new ReplayOverrides(this.queue, this.priority, this.args, more, this.retry);
	}

	/**
	 * Replays with another maximum number of attempts.
	 * @param value executions in all; 0 and 1 both mean once
	 * @return a copy with the number in its retry policy
	 * @throws InvalidJobException if the number is negative
	 */
	public ReplayOverrides maxAttempts(int value) {
		if (value < 0) {
			throw new InvalidJobException("retry.max_attempts", value, "must not be negative");
		}
		return retry(((this.retry != null) ? this.retry : RetryOverrides.NONE).maxAttempts(value));
	}

	/**
	 * Replays with another retry policy.
	 * @param value the fields that change
	 * @return a copy with the retry policy
	 */
	public ReplayOverrides retry(RetryOverrides value) {
		return new ReplayOverrides(this.queue, this.priority, this.args, this.meta, value);
	}

}
