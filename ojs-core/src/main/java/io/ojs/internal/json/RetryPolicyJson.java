package io.ojs.internal.json;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the retry settings of a job or of the configuration of a queue as JSON
 * objects (OJS Retry §2).
 */
public final class RetryPolicyJson {

	private RetryPolicyJson() {
	}

	/**
	 * Takes the retry settings from an object. Unknown fields are left over for the
	 * caller.
	 * @throws InvalidRetryPolicyException if a word is unknown; for values of a wrong
	 * type, {@code fields} creates the exception
	 */
	public static RetryOverrides read(JsonFields fields) {
		Integer maxAttempts = fields.integer("max_attempts");
		Duration initialInterval = fields.duration("initial_interval");
		Double coefficient = fields.number("backoff_coefficient");
		Duration maxInterval = fields.duration("max_interval");
		Boolean jitter = fields.bool("jitter");
		List<String> nonRetryable = fields.strings("non_retryable_errors");
		OnExhaustion onExhaustion = word(fields, "on_exhaustion", OnExhaustion::fromWire);
		BackoffStrategy strategy = word(fields, "backoff_strategy", BackoffStrategy::fromWire);
		return new RetryOverrides(maxAttempts, initialInterval, coefficient, maxInterval, jitter, nonRetryable,
				onExhaustion, strategy, Map.of());
	}

	private static <T> @Nullable T word(JsonFields fields, String name, Function<String, T> read) {
		String word = fields.string(name);
		return (word != null) ? read.apply(word) : null;
	}

	/**
	 * Writes retry settings.
	 * @return the settings except for extensions, as JSON values
	 */
	public static Map<String, @Nullable Object> write(RetryOverrides retry) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		put(object, "max_attempts", retry.maxAttempts());
		put(object, "initial_interval", text(retry.initialInterval()));
		put(object, "backoff_coefficient", retry.backoffCoefficient());
		put(object, "max_interval", text(retry.maxInterval()));
		put(object, "jitter", retry.jitter());
		put(object, "non_retryable_errors", retry.nonRetryableErrors());
		put(object, "on_exhaustion", (retry.onExhaustion() != null) ? retry.onExhaustion().wireName() : null);
		put(object, "backoff_strategy", (retry.backoffStrategy() != null) ? retry.backoffStrategy().wireName() : null);
		return object;
	}

	private static void put(Map<String, @Nullable Object> object, String name, @Nullable Object value) {
		if (value != null) {
			object.put(name, value);
		}
	}

	private static @Nullable String text(@Nullable Duration duration) {
		return (duration != null) ? duration.toString() : null;
	}

}
