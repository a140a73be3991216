package io.ojs.client;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.handler.JobHandlerDefinition;
import io.ojs.handler.JobHandlers;
import io.ojs.handler.RetryPolicies;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobRules;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.Rfc3339;
import io.ojs.json.JobCodec;
import io.ojs.json.JsonValues;
import io.ojs.json.RateLimitJson;
import io.ojs.json.UndecodableJobException;
import io.ojs.tenant.Tenants;
import io.ojs.unique.UniqueKeys;
import org.jspecify.annotations.Nullable;

/**
 * Makes jobs out of requests: fills in what was left out and checks every rule, so that
 * what comes out can be sent.
 */
public final class JobFactory {

	/** The size of an encoded envelope that every OJS implementation takes. */
	public static final int DEFAULT_MAX_ENVELOPE_BYTES = 1024 * 1024;

	private final JobHandlers handlers;

	private final RetryPolicies retryPolicies;

	private final JsonValues values;

	private final JobCodec codec;

	private final JobIdGenerator ids;

	private final Clock clock;

	private final int maxEnvelopeBytes;

	private final UniqueKeys uniqueKeys;

	private final Tenants tenants;

	/**
	 * Creates a factory whose unique jobs have plain hashes for keys.
	 * @param handlers tell the queue of a type
	 * @param retryPolicies tell what a job's own retry policy is laid on
	 * @param values turns arguments into JSON
	 * @param codec writes the envelope
	 * @param clock tells the time, for ids too
	 * @param maxEnvelopeBytes larger envelopes are refused
	 */
	public JobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec, Clock clock,
			int maxEnvelopeBytes) {
		this(handlers, retryPolicies, values, codec, clock, maxEnvelopeBytes, new UniqueKeys(null));
	}

	/**
	 * Creates a factory.
	 * @param handlers tell the queue of a type
	 * @param retryPolicies tell what a job's own retry policy is laid on
	 * @param values turns arguments into JSON
	 * @param codec writes the envelope
	 * @param clock tells the time, for ids too
	 * @param maxEnvelopeBytes larger envelopes are refused
	 * @param uniqueKeys makes the keys of unique jobs
	 */
	public JobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec, Clock clock,
			int maxEnvelopeBytes, UniqueKeys uniqueKeys) {
		this.handlers = handlers;
		this.retryPolicies = retryPolicies;
		this.values = values;
		this.codec = codec;
		this.ids = new JobIdGenerator(clock);
		this.clock = clock;
		this.maxEnvelopeBytes = maxEnvelopeBytes;
		this.uniqueKeys = uniqueKeys;
		this.tenants = Tenants.OFF;
	}

	private JobFactory(JobFactory other, Tenants tenants) {
		this.handlers = other.handlers;
		this.retryPolicies = other.retryPolicies;
		this.values = other.values;
		this.codec = other.codec;
		this.ids = other.ids;
		this.clock = other.clock;
		this.maxEnvelopeBytes = other.maxEnvelopeBytes;
		this.uniqueKeys = other.uniqueKeys;
		this.tenants = tenants;
	}

	/**
	 * Makes jobs that belong to tenants.
	 * @param value tells whose they are
	 * @return a factory that asks it, and is otherwise like this one
	 */
	public JobFactory tenants(Tenants value) {
		return new JobFactory(this, value);
	}

	/**
	 * Makes a job.
	 * @param request what was asked for
	 * @return the job, available, scheduled or pending, and its bytes
	 * @throws InvalidJobException if it breaks a rule
	 */
	public EncodedJob create(JobRequest request) {
		String type = JobRules.type(request.type());
		OffsetDateTime now = Rfc3339.utc(this.clock.instant());
		boolean later = request.scheduledAt() != null && request.scheduledAt().isAfter(now);
		String queue = queue(type, request.queue());
		Job job = Job.builder((request.id() != null) ? request.id() : this.ids.next(), type, queue)
			.args(args(request.args()))
			.meta(meta(this.tenants.meta(request.meta())))
			.priority(request.priority())
			.timeout(request.timeout())
			.scheduledAt(request.scheduledAt())
			.expiresAt(request.expiresAt())
			.retry(request.retry())
			.unique(request.unique())
			.state(state(request, later))
			.createdAt(now)
			.enqueuedAt(now)
			.extensions(extensions(request, queue))
			.build();
		int maxAttempts = Math.max(1, this.retryPolicies.of(job).maxAttempts());
		byte[] body = this.codec.encode(job);
		if (body.length > this.maxEnvelopeBytes) {
			throw tooLarge(job, body.length);
		}
		check(body);
		return new EncodedJob(job, body, maxAttempts, uniqueKey(job));
	}

	/** Two jobs of different tenants are never alike. */
	private @Nullable String uniqueKey(Job job) {
		return this.tenants.isEnabled() ? this.uniqueKeys.of(job, Tenants.of(job).orElse(null))
				: this.uniqueKeys.of(job);
	}

	private static JobState state(JobRequest request, boolean later) {
		Object pending = request.extensions().get(JobRequest.PENDING);
		if (pending != null && !(pending instanceof Boolean)) {
			throw new InvalidJobException(JobRequest.PENDING, pending, "must be true or false");
		}
		if (Boolean.TRUE.equals(pending)) {
			return JobState.PENDING;
		}
		return later ? JobState.SCHEDULED : JobState.AVAILABLE;
	}

	/**
	 * Whether a worker will be able to read what is about to be sent: numbers and keys
	 * may be longer than a reader takes.
	 */
	private void check(byte[] body) {
		try {
			this.codec.decode(body);
		}
		catch (UndecodableJobException ex) {
			if (ex.getCause() instanceof InvalidJobException invalid) {
				throw invalid;
			}
			throw new InvalidJobException("args", ex.getMessage(), "must be data that every reader takes", ex);
		}
	}

	private String queue(String type, @Nullable String requested) {
		if (requested != null) {
			return requested;
		}
		return this.handlers.find(type).map(JobHandlerDefinition::queue).orElse(JobRules.DEFAULT_QUEUE);
	}

	private List<@Nullable Object> args(List<@Nullable Object> args) {
		List<@Nullable Object> converted = new ArrayList<>(args.size());
		for (Object arg : args) {
			converted.add(this.values.toJson("args[%d]".formatted(converted.size()), arg));
		}
		return converted;
	}

	@SuppressWarnings("unchecked")
	private Map<String, @Nullable Object> meta(Map<String, @Nullable Object> meta) {
		return (Map<String, @Nullable Object>) Objects.requireNonNull(this.values.toJson("meta", meta));
	}

	private Map<String, @Nullable Object> extensions(JobRequest request, String queue) {
		Map<String, @Nullable Object> converted = new LinkedHashMap<>();
		request.extensions().forEach((field, value) -> {
			if (field.equals("unique")) {
				throw new InvalidJobException(field, value,
						"must be set by JobRequest.unique and not as an extension, which nobody would honour");
			}
			if (field.equals(JobRequest.PENDING)) {
				// Asks for a state, which the envelope tells by itself.
				return;
			}
			if (field.equals(RateLimit.FIELD)) {
				converted.put(field, RateLimitJson.write(rateLimit(value, queue)));
				return;
			}
			// For its check of text: the name of a field goes over the wire too.
			this.values.toJson("extensions", field);
			converted.put(field, this.values.toJson(field, value));
		});
		return converted;
	}

	/** Written as a whole, so that nobody reads it in another way. */
	private RateLimit rateLimit(@Nullable Object value, String queue) {
		return (value instanceof RateLimit limit) ? limit.check()
				: RateLimitJson.read(this.values.toJson(RateLimit.FIELD, value), queue);
	}

	private InvalidJobException tooLarge(Job job, int bytes) {
		int meta = this.codec.encode(job.toBuilder().args(List.of()).build()).length;
		return new InvalidJobException((meta > bytes / 2) ? "meta" : "args", "%d bytes in all".formatted(bytes),
				"makes the envelope larger than %d bytes; pass a reference to the data, or raise ojs.max-envelope-size"
					.formatted(this.maxEnvelopeBytes));
	}

}
