package io.ojs.internal.json;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.OnLimit;
import io.ojs.job.Rate;
import io.ojs.job.RateLimit;
import io.ojs.job.RateScope;
import io.ojs.job.RetryPriority;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes rate limits as JSON objects (OJS Rate Limiting §6). Unknown fields are
 * rejected, because a misspelt one would disable a limit. Older forms are accepted:
 * {@code max_per_second}, and a {@code rate} that is a number, with a {@code period} of
 * {@code second}, {@code minute}, {@code hour} or {@code day} beside it.
 */
public final class RateLimitJson {

	private static final Map<String, Duration> PERIODS = Map.of("second", Duration.ofSeconds(1), "minute",
			Duration.ofMinutes(1), "hour", Duration.ofHours(1), "day", Duration.ofDays(1));

	private RateLimitJson() {
	}

	/**
	 * Reads the limit of a job.
	 * @return the limit; empty if the job has none, or one of another producer that
	 * cannot be read
	 */
	public static Optional<RateLimit> of(Job job) {
		Object value = job.extensions().get(RateLimit.FIELD);
		if (value == null) {
			return Optional.empty();
		}
		try {
			return Optional.of(read(value, job.queue()));
		}
		catch (InvalidJobException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Reads a limit.
	 * @param queue the queue of the job, from which the key is made if the limit has none
	 * @throws InvalidJobException if the value is not a limit or breaks a rule; the
	 * exception has the path in the envelope, such as {@code rate_limit.rate.limit}
	 */
	public static RateLimit read(@Nullable Object value, String queue) {
		Map<String, @Nullable Object> holder = new LinkedHashMap<>();
		holder.put(RateLimit.FIELD, value);
		JsonFields fields = new JsonFields(holder, InvalidJobException::new).nested(RateLimit.FIELD);
		if (fields == null) {
			throw new InvalidJobException(RateLimit.FIELD, null, "must be an object");
		}
		String key = fields.string("key");
		String onLimit = fields.string("on_limit");
		String scope = fields.string("scope");
		String retryPriority = fields.string("retry_priority");
		Long perSecond = fields.longInteger("max_per_second");
		Rate rate = (fields.peek("rate") instanceof Map) ? rate(fields.nested("rate")) : plainRate(fields);
		if (perSecond != null) {
			if (rate != null) {
				throw fields.refuse("max_per_second", perSecond, "must not be there beside 'rate'");
			}
			rate = new Rate(perSecond, Duration.ofSeconds(1));
		}
		RateLimit limit = new RateLimit((key != null) ? key : keyOf(queue), fields.integer("concurrency"), rate,
				rate(fields.nested("throttle")), (onLimit != null) ? OnLimit.fromWire(onLimit) : OnLimit.WAIT,
				(scope != null) ? RateScope.fromWire(scope) : null,
				(retryPriority != null) ? RetryPriority.fromWire(retryPriority) : RetryPriority.EQUAL);
		fields.refuseLeftOver("is no field of a rate limit");
		return limit.check();
	}

	private static @Nullable Rate rate(@Nullable JsonFields fields) {
		if (fields == null) {
			return null;
		}
		Long limit = fields.longInteger("limit");
		Duration period = fields.duration("period");
		if (limit == null || period == null) {
			throw fields.refuse((limit == null) ? "limit" : "period", null, "is required");
		}
		fields.refuseLeftOver("is no field of a rate");
		return new Rate(limit, period);
	}

	private static @Nullable Rate plainRate(JsonFields fields) {
		Long limit = fields.longInteger("rate");
		String period = fields.string("period");
		if (limit == null) {
			if (period != null) {
				throw fields.refuse("period", period, "must not be there without a 'rate' that is a number");
			}
			return null;
		}
		Duration length = (period != null) ? PERIODS.get(period) : Duration.ofSeconds(1);
		if (length == null) {
			throw fields.refuse("period", period,
					"must be second, minute, hour or day; for others write rate as {\"limit\": …, \"period\": \"PT…\"}");
		}
		return new Rate(limit, length);
	}

	/** Writes a limit. */
	public static Map<String, @Nullable Object> write(RateLimit limit) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("key", limit.key());
		if (limit.concurrency() != null) {
			object.put("concurrency", limit.concurrency());
		}
		if (limit.rate() != null) {
			object.put("rate", write(limit.rate()));
		}
		if (limit.throttle() != null) {
			object.put("throttle", write(limit.throttle()));
		}
		object.put("on_limit", limit.onLimit().wireName());
		if (limit.scope() != null) {
			object.put("scope", limit.scope().wireName());
		}
		if (limit.retryPriority() != RetryPriority.EQUAL) {
			object.put("retry_priority", limit.retryPriority().wireName());
		}
		return object;
	}

	/** Writes a rate. */
	public static Map<String, @Nullable Object> write(Rate rate) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("limit", rate.limit());
		object.put("period", IsoDurations.format(rate.period()));
		return object;
	}

	/** Returns the key of a limit that names none. */
	public static String keyOf(String queue) {
		return "queue:" + queue;
	}

}
