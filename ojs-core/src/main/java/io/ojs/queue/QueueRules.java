package io.ojs.queue;

import java.time.Duration;
import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * The rules for what is said about queues.
 */
final class QueueRules {

	private QueueRules() {
	}

	/**
	 * Checks the name of a queue that somebody wants to do something to.
	 */
	static String name(@Nullable String name) {
		if (Queue.DEFAULT_POLICY.equals(name)) {
			throw new InvalidQueueConfigException("name", name,
					"must not be the name of the default policy; use setDefaultPolicy to change that");
		}
		try {
			return JobRules.queue(name);
		}
		catch (InvalidJobException ex) {
			throw new InvalidQueueConfigException("name", name, "must be the name of a queue: " + ex.getMessage(), ex);
		}
	}

	static void require(boolean holds, String field, @Nullable Object value, String problem) {
		if (!holds) {
			throw new InvalidQueueConfigException(field, value, problem);
		}
	}

	static void notNegative(String field, @Nullable Duration value) {
		require(value == null || !value.isNegative(), field, value, "must not be negative");
	}

	static void notNegative(String field, @Nullable Long value) {
		require(value == null || value >= 0, field, value, "must be 0 or more; 0 is any number");
	}

	static void positive(String field, @Nullable Duration value) {
		require(value == null || !(value.isZero() || value.isNegative()), field, value, "must be longer than zero");
	}

	static @Nullable List<String> patterns(String field, @Nullable List<String> patterns) {
		if (patterns == null) {
			return null;
		}
		require(!patterns.isEmpty(), field, patterns, "must have an element; [\"*\"] allows everything");
		require(patterns.stream().noneMatch(String::isBlank), field, patterns, "must not have an empty element");
		return List.copyOf(patterns);
	}

}
