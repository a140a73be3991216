package io.ojs.internal.json;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.job.JobVersion;
import io.ojs.job.RateLimit;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.job.internal.VersionedType;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes requests for jobs as JSON objects of clients (OJS HTTP Binding §9.1):
 * type, args, meta, and options either in an object {@code options} or beside them.
 * Fields that the server sets (state, attempt, times …) are ignored. Unknown fields stay
 * with the job.
 */
public final class JobRequestJson {

	/**
	 * Extension of a job: how long a worker that has fetched it may send no heartbeat, in
	 * milliseconds; a whole number, at least 1.
	 */
	public static final String VISIBILITY_TIMEOUT_MS = "visibility_timeout_ms";

	private static final String OPTIONS = "options";

	/** The fields that the server sets; they are ignored (OJS Core §5.3). */
	private static final Set<String> MANAGED = Set.of("state", "attempt", "max_attempts", "created_at", "enqueued_at",
			"started_at", "completed_at", "cancelled_at", "discarded_at", "next_retry_at", "next_attempt_at",
			"dead_lettered_at", "dead_letter_queue", "result", "error", "errors");

	private final Instant now;

	private final JsonFields fields;

	private final @Nullable JsonFields options;

	private JobRequestJson(Map<String, ? extends @Nullable Object> object, Instant now) {
		this.now = now;
		this.fields = new JsonFields(object, InvalidJobException::new);
		this.options = this.fields.nested(OPTIONS);
	}

	/**
	 * Reads a request.
	 * @param now the start of relative times, such as {@code +PT5S}
	 * @return the request; it has a type and args, and its fields obey their rules
	 * @throws InvalidJobException if a field breaks a rule; the exception has its path in
	 * the object, such as {@code options.priority}
	 */
	public static JobRequest read(Map<String, ? extends @Nullable Object> object, Instant now) {
		return new JobRequestJson(object, now).read();
	}

	/**
	 * Writes a request in the form that {@link #read} reads.
	 * @param values converts arguments and other values to JSON
	 * @throws InvalidJobException if a value cannot be converted
	 */
	public static Map<String, @Nullable Object> write(JobRequest request, JsonValues values) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("type", request.type());
		object.put("args", values.toJson("args", request.args()));
		put(object, "id", request.id());
		put(object, "meta", request.meta().isEmpty() ? null : values.toJson("meta", request.meta()));
		Map<String, @Nullable Object> options = new LinkedHashMap<>();
		put(options, "queue", request.queue());
		put(options, "priority", request.priority());
		put(options, "timeout_ms", (request.timeout() != null) ? request.timeout().toMillis() : null);
		put(options, "scheduled_at", time(request.scheduledAt()));
		put(options, "expires_at", time(request.expiresAt()));
		put(options, "retry", (request.retry() != null) ? EnvelopeWriter.retry(request.retry()) : null);
		put(options, "unique", (request.unique() != null) ? UniquePolicyJson.write(request.unique()) : null);
		if (values.toJson(OPTIONS, request.extensions().get(OPTIONS)) instanceof Map<?, ?> unknown) {
			unknown.forEach((name, value) -> options.putIfAbsent((String) name, value));
		}
		put(object, OPTIONS, options.isEmpty() ? null : options);
		request.extensions()
			.forEach((field, value) -> object.putIfAbsent(field, (value instanceof RateLimit limit)
					? RateLimitJson.write(limit.check()) : values.toJson(field, value)));
		return object;
	}

	private static void put(Map<String, @Nullable Object> object, String name, @Nullable Object value) {
		if (value != null) {
			object.put(name, value);
		}
	}

	private static @Nullable String time(@Nullable OffsetDateTime time) {
		return (time != null) ? Rfc3339.format(time) : null;
	}

	private JobRequest read() {
		String type = this.fields.string("type");
		if (type == null) {
			throw new InvalidJobException("type", null, "is required, such as email.send");
		}
		List<@Nullable Object> args = this.fields.array("args");
		if (args == null) {
			throw new InvalidJobException("args", null, "is required and must be an array");
		}
		String specVersion = this.fields.string("specversion");
		if (specVersion != null) {
			JobRules.specVersion(specVersion);
		}
		MANAGED.forEach(this.fields::any);
		Option queue = option("queue");
		Option priority = option("priority");
		String queueName = queue.fields().string(queue.name());
		Integer level = priority.fields().integer(priority.name());
		JobRules.type(VersionedType.split(type).type());
		JobRequest request = new JobRequest(type, args, id(),
				(queueName != null) ? queue.check(() -> JobRules.queue(queueName)) : null, meta(),
				(level != null) ? priority.check(() -> JobRules.priority(level)) : null, timeout(),
				time(option("scheduled_at", "delay_until")), time(option("expires_at")), retry(), unique(),
				extensions());
		JobVersion.of(request.extensions().get(JobVersion.FIELD));
		return request;
	}

	private @Nullable String id() {
		String id = this.fields.string("id");
		if (id != null && !JobRules.id(id).equals(id)) {
			throw new InvalidJobException("id", id, "must be in lower case");
		}
		return id;
	}

	private Map<String, @Nullable Object> meta() {
		Map<String, @Nullable Object> given = this.fields.object("meta");
		Map<String, @Nullable Object> meta = (given != null) ? new LinkedHashMap<>(given) : new LinkedHashMap<>();
		Option option = option("tags");
		List<String> tags = option.fields().strings(option.name());
		if (tags != null) {
			Object other = meta.put("tags", tags);
			if (other != null && !other.equals(tags)) {
				throw option.refuse(tags, "must not differ from 'meta.tags', which is the same");
			}
		}
		return meta;
	}

	private @Nullable Duration timeout() {
		Option option = option("timeout_ms", "timeout");
		Long value = option.fields().longInteger(option.name());
		// OJS Core §5.2: 0 means that the default applies.
		if (value == null || value == 0) {
			return null;
		}
		boolean milliseconds = option.name().equals("timeout_ms");
		long seconds = milliseconds ? value / 1000 + ((value % 1000 > 0) ? 1 : 0) : value;
		if (value < 0 || seconds > Integer.MAX_VALUE) {
			throw option.refuse(value, milliseconds ? "must be 1 to 2147483647000 milliseconds"
					: "must be a whole number of seconds, 1 to 2147483647");
		}
		return Duration.ofSeconds(seconds);
	}

	private @Nullable OffsetDateTime time(Option option) {
		String text = option.fields().string(option.name());
		if (text == null || !text.startsWith("+")) {
			return (text != null) ? Rfc3339.parse(option.path(), text) : null;
		}
		try {
			Duration distance = IsoDurations.parse(text.substring(1));
			if (!distance.isNegative()) {
				return JobRules.time(option.path(), Rfc3339.utc(this.now.plus(distance)));
			}
		}
		catch (DateTimeParseException ex) {
			throw new InvalidJobException(option.path(), text,
					"must be an RFC 3339 timestamp with a zone, or '+' and an ISO 8601 duration, such as +PT5S", ex);
		}
		catch (DateTimeException | ArithmeticException ex) {
			throw new InvalidJobException(option.path(), text, "must lie in the years 0000 to 9999", ex);
		}
		throw option.refuse(text, "must not lie in the past");
	}

	private @Nullable RetryOverrides retry() {
		Option option = option("retry");
		Map<String, @Nullable Object> retry = option.fields().object(option.name());
		return (retry != null) ? RetryJson.readRequest(option.path(), retry) : null;
	}

	private @Nullable UniquePolicy unique() {
		Option option = option("unique");
		Map<String, @Nullable Object> unique = option.fields().object(option.name());
		return (unique != null) ? option.check(() -> UniquePolicyJson.read(unique)) : null;
	}

	/**
	 * All other fields stay with the job unchanged. Those with a meaning here are
	 * checked.
	 */
	private Map<String, @Nullable Object> extensions() {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>();
		Option visibility = option(VISIBILITY_TIMEOUT_MS);
		Long milliseconds = visibility.fields().longInteger(visibility.name());
		if (milliseconds != null && milliseconds < 1) {
			throw visibility.refuse(milliseconds, "must be at least 1");
		}
		put(extensions, VISIBILITY_TIMEOUT_MS, milliseconds);
		for (String name : List.of("rate_limit", "metadata")) {
			Option object = option(name);
			put(extensions, name, object.fields().object(object.name()));
		}
		Option pending = option(JobRequest.PENDING);
		put(extensions, JobRequest.PENDING, pending.fields().bool(pending.name()));
		put(extensions, "schema", this.fields.string("schema"));
		extensions.putAll(this.fields.leftOver());
		if (this.options != null && !this.options.leftOver().isEmpty()) {
			extensions.put(OPTIONS, Collections.unmodifiableMap(new LinkedHashMap<>(this.options.leftOver())));
		}
		return extensions;
	}

	/**
	 * Finds an option under one of its names, in {@code options} or beside it.
	 */
	private Option option(String... words) {
		Option found = null;
		for (String word : words) {
			for (JsonFields place : (this.options != null) ? List.of(this.options, this.fields)
					: List.of(this.fields)) {
				if (place.peek(word) == null) {
					place.any(word);
					continue;
				}
				Option option = new Option(place, (place == this.options) ? OPTIONS : "", word);
				if (found != null) {
					throw option.refuse(place.peek(word),
							"must not stand beside '%s', which means the same".formatted(found.path()));
				}
				found = option;
			}
		}
		return (found != null) ? found : new Option(this.fields, "", words[0]);
	}

	/**
	 * An option and the object that has it.
	 */
	private record Option(JsonFields fields, String parent, String name) {

		String path() {
			return this.parent.isEmpty() ? this.name : this.parent + "." + this.name;
		}

		InvalidJobException refuse(@Nullable Object value, String problem) {
			return new InvalidJobException(path(), value, problem);
		}

		<T> T check(Supplier<T> rule) {
			try {
				return rule.get();
			}
			catch (InvalidJobException ex) {
				throw this.parent.isEmpty() ? ex : ex.in(this.parent);
			}
		}

	}

}
