package io.ojs.queue;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The rules for configurations of queues.
 */
final class QueueRules {

	private QueueRules() {
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
