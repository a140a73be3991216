package io.ojs.internal.json;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.job.InvalidJobException;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Reads the retry settings of a job from a JSON object (OJS Retry §2).
 */
final class RetryJson {

	/** The base for checks of partial settings: its intervals fit any others. */
	private static final RetryPolicy ANY_INTERVAL = RetryPolicy.DEFAULT
		.with(RetryOverrides.NONE.initialInterval(Duration.ofNanos(1)).maxInterval(Duration.ofSeconds(Long.MAX_VALUE)));

	/** Other names of fields, which specifications use. */
	private static final Map<String, String> WORDS = Map.of("strategy", "backoff_strategy");

	/** Names of intervals in milliseconds. */
	private static final Map<String, String> MILLISECONDS = Map.of("initial_interval_ms", "initial_interval",
			"initial_delay_ms", "initial_interval", "max_interval_ms", "max_interval", "max_delay_ms", "max_interval");

	private RetryJson() {
	}

	/**
	 * Reads the retry settings of an envelope.
	 * @param fields the object; {@code null} if there is none
	 */
	static @Nullable RetryOverrides read(@Nullable JsonFields fields) {
		if (fields == null) {
			return null;
		}
		try {
			RetryOverrides overrides = withUnknown(maxRetries(RetryPolicyJson.read(fields), fields), fields);
			ANY_INTERVAL.with(overrides);
			return overrides;
		}
		catch (InvalidRetryPolicyException ex) {
			throw fields.refuse(ex.field(), ex.value(), ex.problem());
		}
	}

	/**
	 * Reads the retry settings of a request, which may use any of the names.
	 * @param path the path of the object, such as {@code options.retry}
	 * @throws InvalidJobException if they break a rule; the exception has the name that
	 * the request uses
	 */
	static @Nullable RetryOverrides readRequest(String path, Map<String, @Nullable Object> object) {
		Map<String, @Nullable Object> canonical = new LinkedHashMap<>();
		Map<String, String> spelled = new LinkedHashMap<>();
		object.forEach((name, value) -> {
			String interval = MILLISECONDS.get(name);
			String field = (interval != null) ? interval : WORDS.getOrDefault(name, name);
			String other = spelled.putIfAbsent(field, name);
			if (other != null) {
				throw new InvalidJobException(path + "." + name, value,
						"must not stand beside '%s', which means the same".formatted(other));
			}
			canonical.put(field, (interval != null) ? milliseconds(path + "." + name, value) : value);
		});
		return read(new JsonFields(() -> path, canonical, (at, value, problem, cause) -> {
			String name = at.substring(path.length() + 1);
			String word = spelled.getOrDefault(name, name);
			Object original = object.containsKey(word) ? object.get(word) : value;
			throw new InvalidJobException(path + "." + word, original, problem, cause);
		}));
	}

	private static @Nullable String milliseconds(String field, @Nullable Object value) {
		if (value == null) {
			return null;
		}
		if (value instanceof Integer || value instanceof Long) {
			return Duration.ofMillis(((Number) value).longValue()).toString();
		}
		throw new InvalidJobException(field, value, "must be a whole number of milliseconds");
	}

	/** Reads an older field that counts retries instead of executions. */
	private static RetryOverrides maxRetries(RetryOverrides read, JsonFields fields) {
		Integer maxRetries = fields.integer("max_retries");
		if (maxRetries != null && (maxRetries < 0 || maxRetries == Integer.MAX_VALUE)) {
			throw new InvalidRetryPolicyException("max_retries", maxRetries, "must be between 0 and 2147483646");
		}
		return (maxRetries != null && read.maxAttempts() == null) ? read.maxAttempts(maxRetries + 1) : read;
	}

	private static RetryOverrides withUnknown(RetryOverrides read, JsonFields fields) {
		return new RetryOverrides(read.maxAttempts(), read.initialInterval(), read.backoffCoefficient(),
				read.maxInterval(), read.jitter(), read.nonRetryableErrors(), read.onExhaustion(),
				read.backoffStrategy(), fields.leftOver());
	}

}
