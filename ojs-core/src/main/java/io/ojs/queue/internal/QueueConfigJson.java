package io.ojs.queue.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.json.IsoDurations;
import io.ojs.internal.json.JsonFields;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.json.RetryPolicyJson;
import io.ojs.job.UndecodableJobException;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueConfigBuilder;
import io.ojs.queue.QueueRateLimit;
import io.ojs.queue.QueueRetention;
import io.ojs.retry.InvalidRetryPolicyException;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the configuration of a queue as JSON (OJS Queue Configuration §6).
 * Rejects unknown fields; writes the fields that are set.
 */
public final class QueueConfigJson {

	private static final String UNKNOWN = "is no field of a queue's configuration";

	private final JsonObjects objects = new JsonObjects();

	/**
	 * Reads a configuration.
	 * @param json a JSON object in UTF-8
	 * @throws InvalidQueueConfigException if it is not a JSON object, has an unknown
	 * field, or a field breaks a rule
	 */
	public QueueConfig read(byte[] json) {
		Map<String, @Nullable Object> object;
		try {
			object = this.objects.read(json);
		}
		catch (UndecodableJobException ex) {
			throw new InvalidQueueConfigException("config", "%d bytes".formatted(json.length),
					"must be a JSON object. " + ex.getMessage(), ex);
		}
		return read(object);
	}

	/**
	 * Reads a configuration.
	 * @param object values of JSON's own types; {@code null} sets nothing
	 * @throws InvalidQueueConfigException if it has an unknown field, or a field breaks a
	 * rule
	 */
	public QueueConfig read(Map<String, ? extends @Nullable Object> object) {
		JsonFields fields = new JsonFields(object, InvalidQueueConfigException::new);
		QueueConfigBuilder config = QueueConfig.builder()
			.maxSize(fields.longInteger("max_size"))
			.maxSizeBytes(fields.longInteger("max_size_bytes"));
		String overflowPolicy = fields.string("overflow_policy");
		config.overflowPolicy((overflowPolicy != null) ? OverflowPolicy.fromWire(overflowPolicy) : null)
			.concurrency(fields.integer("concurrency"))
			.rateLimit(rateLimit(fields.nested("rate_limit")))
			.visibilityTimeout(seconds(fields, "visibility_timeout"))
			.defaultTimeout(seconds(fields, "default_timeout"))
			.defaultRetry(retry(fields.nested("default_retry")))
			.retention(retention(fields.nested("retention")))
			.deadLetterQueue(fields.string("dead_letter_queue"))
			.deadLetterMaxSize(fields.longInteger("dead_letter_max_size"))
			.deadLetterTtl(fields.duration("dead_letter_ttl"))
			.allowedJobTypes(fields.strings("allowed_job_types"))
			.producers(fields.strings("producers"));
		fields.refuseLeftOver(UNKNOWN);
		return config.build();
	}

	private static @Nullable Duration seconds(JsonFields fields, String name) {
		Integer seconds = fields.integer(name);
		return (seconds != null) ? Duration.ofSeconds(seconds) : null;
	}

	private static @Nullable QueueRateLimit rateLimit(@Nullable JsonFields fields) {
		if (fields == null) {
			return null;
		}
		Long limit = fields.longInteger("limit");
		Duration period = fields.duration("period");
		fields.refuseLeftOver(UNKNOWN);
		if (limit == null || period == null) {
			throw fields.refuse((limit == null) ? "limit" : "period", null, "is required where 'rate_limit' is set");
		}
		return new QueueRateLimit(limit, period);
	}

	private static @Nullable QueueRetention retention(@Nullable JsonFields fields) {
		if (fields == null) {
			return null;
		}
		QueueRetention retention = new QueueRetention(fields.duration("completed"), fields.duration("discarded"),
				fields.duration("cancelled"));
		fields.refuseLeftOver(UNKNOWN);
		return retention;
	}

	private static @Nullable RetryOverrides retry(@Nullable JsonFields fields) {
		if (fields == null) {
			return null;
		}
		try {
			RetryOverrides retry = RetryPolicyJson.read(fields);
			fields.refuseLeftOver(UNKNOWN);
			return retry;
		}
		catch (InvalidRetryPolicyException ex) {
			throw new InvalidQueueConfigException("default_retry." + ex.field(), ex.value(), ex.problem(), ex);
		}
	}

	/**
	 * Writes a configuration.
	 * @return a JSON object in UTF-8
	 */
	public byte[] write(QueueConfig config) {
		return this.objects.write(toMap(config));
	}

	/**
	 * Converts a configuration to JSON values.
	 * @return the fields that are set, as values of JSON's own types
	 */
	public Map<String, Object> toMap(QueueConfig config) {
		Map<String, Object> object = new LinkedHashMap<>();
		put(object, "max_size", config.maxSize());
		put(object, "max_size_bytes", config.maxSizeBytes());
		put(object, "overflow_policy", (config.overflowPolicy() != null) ? config.overflowPolicy().wireName() : null);
		put(object, "concurrency", config.concurrency());
		QueueRateLimit rateLimit = config.rateLimit();
		if (rateLimit != null) {
			Map<String, Object> limit = new LinkedHashMap<>();
			limit.put("limit", rateLimit.limit());
			limit.put("period", IsoDurations.format(rateLimit.period()));
			object.put("rate_limit", limit);
		}
		put(object, "visibility_timeout", seconds(config.visibilityTimeout()));
		put(object, "default_timeout", seconds(config.defaultTimeout()));
		put(object, "default_retry",
				(config.defaultRetry() != null) ? RetryPolicyJson.write(config.defaultRetry()) : null);
		put(object, "retention", (config.retention() != null) ? retention(config.retention()) : null);
		put(object, "dead_letter_queue", config.deadLetterQueue());
		put(object, "dead_letter_max_size", config.deadLetterMaxSize());
		put(object, "dead_letter_ttl", iso(config.deadLetterTtl()));
		put(object, "allowed_job_types", config.allowedJobTypes());
		put(object, "producers", config.producers());
		return object;
	}

	private static Map<String, Object> retention(QueueRetention retention) {
		Map<String, Object> object = new LinkedHashMap<>();
		put(object, "completed", iso(retention.completed()));
		put(object, "discarded", iso(retention.discarded()));
		put(object, "cancelled", iso(retention.cancelled()));
		return object;
	}

	/**
	 * Rounds up to whole seconds, as JSON has them: rounding down could give zero, which
	 * is not valid.
	 */
	private static @Nullable Long seconds(@Nullable Duration duration) {
		return (duration != null) ? duration.plusNanos(999_999_999).toSeconds() : null;
	}

	private static @Nullable String iso(@Nullable Duration duration) {
		return (duration != null) ? IsoDurations.format(duration) : null;
	}

	private static void put(Map<String, Object> object, String field, @Nullable Object value) {
		if (value != null) {
			object.put(field, value);
		}
	}

}
