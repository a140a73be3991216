package io.ojs.client.internal;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.unique.UniqueKeys;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import io.ojs.middleware.JobDroppedException;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import org.jspecify.annotations.Nullable;

/**
 * Creates jobs from requests: fills in missing fields and checks all rules, so that the
 * result can be sent.
 */
public final class JobFactory {

	/** The size of an encoded envelope that every OJS implementation accepts. */
	public static final int DEFAULT_MAX_ENVELOPE_BYTES = 1024 * 1024;

	private static final int MAX_GIVEN_KEY = 255;

	private final RetryPolicies retryPolicies;

	private final JobCodec codec;

	private final JobDrafts drafts;

	private final Clock clock;

	private final int maxEnvelopeBytes;

	private final UniqueKeys uniqueKeys;

	private final ThreadTenants tenants;

	private final EnqueueChain chain;

	private final JobEncryption encryption;

	/** Creates a factory that makes unique keys by a hash without a secret. */
	public JobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec, Clock clock,
			int maxEnvelopeBytes) {
		this(handlers, retryPolicies, values, codec, clock, maxEnvelopeBytes, new UniqueKeys(null));
	}

	public JobFactory(JobHandlers handlers, RetryPolicies retryPolicies, JsonValues values, JobCodec codec, Clock clock,
			int maxEnvelopeBytes, UniqueKeys uniqueKeys) {
		this.retryPolicies = retryPolicies;
		this.codec = codec;
		this.drafts = new JobDrafts(handlers, values, new JobIdGenerator(clock));
		this.clock = clock;
		this.maxEnvelopeBytes = maxEnvelopeBytes;
		this.uniqueKeys = uniqueKeys;
		this.tenants = ThreadTenants.OFF;
		this.chain = EnqueueChain.EMPTY;
		this.encryption = JobEncryption.OFF;
	}

	private JobFactory(JobFactory other, ThreadTenants tenants, EnqueueChain chain, JobEncryption encryption) {
		this.retryPolicies = other.retryPolicies;
		this.codec = other.codec;
		this.drafts = other.drafts;
		this.clock = other.clock;
		this.maxEnvelopeBytes = other.maxEnvelopeBytes;
		this.uniqueKeys = other.uniqueKeys;
		this.tenants = tenants;
		this.chain = chain;
		this.encryption = encryption;
	}

	/** Copies this factory with tenants. */
	public JobFactory tenants(ThreadTenants value) {
		return new JobFactory(this, value, this.chain, this.encryption);
	}

	/** Copies this factory with middleware. */
	public JobFactory middleware(EnqueueChain value) {
		return new JobFactory(this, this.tenants, value, this.encryption);
	}

	/**
	 * Copies this factory with encryption.
	 * @param value encrypts the arguments of the jobs that it is configured for
	 */
	public JobFactory encryption(JobEncryption value) {
		return new JobFactory(this, this.tenants, this.chain, value);
	}

	/** The encryption of arguments. */
	public JobEncryption encryption() {
		return this.encryption;
	}

	/**
	 * Creates a job.
	 * @return the job, available, scheduled or pending, and its encoded envelope
	 * @throws InvalidJobException if the job breaks a rule
	 * @throws JobDroppedException if a middleware drops the job
	 */
	public EncodedJob create(JobRequest request) {
		return create(request, this.chain);
	}

	/**
	 * Checks a request without the middleware of the application, which sees the request
	 * when it is enqueued.
	 * @return the job that the request would create now
	 * @throws InvalidJobException if the job breaks a rule
	 */
	public Job check(JobRequest request) {
		return create(request, EnqueueChain.EMPTY).job();
	}

	private EncodedJob create(JobRequest request, EnqueueChain passed) {
		Making making = new Making();
		try {
			Job job = passed.apply(this.drafts.draft(request, making.now), making);
			if (job.type().equals(JobRules.WEBHOOK_TYPE)) {
				throw new InvalidJobException("type", job.type(),
						"must be another one: only the library makes jobs of this type, of events");
			}
			if (this.encryption.encrypts(job.type(), job.queue()) && !JobEncryption.isEncoded(job.args())) {
				throw new InvalidJobException("args", JobEncryption.PLACEHOLDER,
						"must be encrypted in queue '%s', to which a middleware behind 'encrypt' has sent the job"
							.formatted(job.queue()));
			}
			return encode(job, making.uniqueKey);
		}
		catch (InvalidJobException ex) {
			throw (making.secret || this.encryption.encrypts(request.type(), queue(request))) ? JobEncryption.hidden(ex)
					: ex;
		}
	}

	/**
	 * Checks a request of another program, before this application enqueues it.
	 * @throws InvalidJobException if the other program had to encrypt the arguments and
	 * did not
	 */
	public JobRequest arrived(JobRequest request) {
		this.encryption.checkArrival(request, queue(request));
		return request;
	}

	/**
	 * Creates a job from a request that has passed all middleware and was stored since,
	 * such as a step of a workflow. The job keeps its tenant.
	 * @param request the stored fields, and those that were added to them
	 * @return the job, available, scheduled or pending, and its encoded envelope
	 * @throws InvalidJobException if the job breaks a rule
	 */
	public EncodedJob again(JobRequest request) {
		Job job = this.drafts.draft(request, Rfc3339.utc(this.clock.instant()));
		Object kept = job.extensions().get(JobEncryption.UNIQUE_KEY);
		// If the job is not unique, this field is the producer's own and not a key.
		boolean own = job.unique() != null && JobEncryption.isEncoded(job.args());
		return encode(job, (own && kept instanceof String key) ? key : uniqueKey(job));
	}

	/**
	 * Finds the queue of a request before any middleware has changed it.
	 * @return the queue that it names, or that of its type
	 */
	public String queue(JobRequest request) {
		try {
			return this.drafts.queue(request);
		}
		catch (InvalidJobException ex) {
			// An invalid request may have no queue.
			return JobRules.DEFAULT_QUEUE;
		}
	}

	private EncodedJob encode(Job job, @Nullable String uniqueKey) {
		int maxAttempts = Math.max(1, this.retryPolicies.of(job).maxAttempts());
		byte[] body = this.codec.encode(job);
		if (body.length > this.maxEnvelopeBytes) {
			throw tooLarge(job, body.length);
		}
		// Only a foreign codec knows what it can decode. Values that every reader of JSON
		// accepts need no check.
		if (!(this.codec instanceof JsonJobCodec) || !PlainValues.inArgs(job)) {
			check(body);
		}
		else if (!PlainValues.besideArgs(job)) {
			check(this.codec.encode(job.toBuilder().args(List.of()).build()));
		}
		return new EncodedJob(job, body, maxAttempts, uniqueKey);
	}

	/**
	 * Makes the unique key. The tenant is part of it, so jobs of two tenants are never
	 * alike.
	 */
	private @Nullable String uniqueKey(Job job) {
		String tenant = this.tenants.isEnabled() ? Tenants.of(job).orElse(null) : null;
		UniquePolicy policy = job.unique();
		JobEncryption.checkMergeable(job);
		if (policy == null || !policy.keys().contains(UniqueDimension.ARGS) || !JobEncryption.isEncoded(job.args())) {
			return this.uniqueKeys.of(job, tenant);
		}
		// Another program has encrypted the arguments, with another result each time, so
		// it has to make the key.
		Object given = job.extensions().get(JobEncryption.UNIQUE_KEY);
		if (!(given instanceof String key) || key.isBlank() || key.length() > MAX_GIVEN_KEY) {
			throw new InvalidJobException(JobEncryption.UNIQUE_KEY, given,
					"must be the key that was made of the arguments before they were encrypted, 1 to %d characters"
						.formatted(MAX_GIVEN_KEY));
		}
		return this.uniqueKeys.ofGiven(key, tenant);
	}

	private static Job with(Job job, String extension, Object value) {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>(job.extensions());
		extensions.put(extension, value);
		return job.toBuilder().extensions(extensions).build();
	}

	/**
	 * Checks whether a worker can decode a body: numbers and keys may be longer than a
	 * reader accepts.
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

	/**
	 * Writes all fields of the rate limit, so that every reader sees the same defaults.
	 */
	private static Job withWholeRateLimit(Job job) {
		if (!job.extensions().containsKey(RateLimit.FIELD)) {
			return job;
		}
		RateLimit limit = RateLimitJson.read(job.extensions().get(RateLimit.FIELD), job.queue());
		if (limit.key().startsWith(JobRules.WEBHOOK_LIMIT)) {
			throw new InvalidJobException(RateLimit.FIELD + ".key", limit.key(),
					"must not begin with '%s', which is for deliveries of webhooks".formatted(JobRules.WEBHOOK_LIMIT));
		}
		return with(job, RateLimit.FIELD, RateLimitJson.write(limit));
	}

	private InvalidJobException tooLarge(Job job, int bytes) {
		int meta = this.codec.encode(job.toBuilder().args(List.of()).build()).length;
		return new InvalidJobException((meta > bytes / 2) ? "meta" : "args", "%d bytes in all".formatted(bytes),
				"makes the envelope larger than %d bytes; pass a reference to the data, or raise ojs.max-envelope-size"
					.formatted(this.maxEnvelopeBytes));
	}

	/** The state of one job that passes the chain. */
	private final class Making implements EnqueueChain.Steps {

		private final OffsetDateTime now = Rfc3339.utc(JobFactory.this.clock.instant());

		private boolean tenantKnown;

		/** Whether a middleware has given the job a type or a queue that is encrypted. */
		private boolean secret;

		private @Nullable String uniqueKey;

		@Override
		public Job step(String name, Job job) {
			switch (name) {
				case MiddlewareChain.TENANT -> {
					this.tenantKnown = true;
					return JobFactory.this.tenants.isEnabled()
							? job.toBuilder().meta(JobFactory.this.tenants.meta(job.meta())).build() : job;
				}
				case MiddlewareChain.UNIQUE -> this.uniqueKey = uniqueKey(job);
				case MiddlewareChain.ENCRYPT -> {
					Job encrypted = JobFactory.this.encryption.encrypt(job);
					return (this.uniqueKey != null && JobEncryption.isEncoded(encrypted.args()))
							? with(encrypted, JobEncryption.UNIQUE_KEY, this.uniqueKey) : encrypted;
				}
				case MiddlewareChain.RATE_LIMIT -> {
					return withWholeRateLimit(job);
				}
				default -> {
					// Nothing to do: the span surrounds the whole chain, and changed()
					// checks each change.
				}
			}
			return job;
		}

		@Override
		public Job changed(Job before, Job after, String middleware) {
			this.secret |= JobFactory.this.encryption.encrypts(after.type(), after.queue());
			Object tenant = after.meta().get(Tenants.META_KEY);
			if (this.tenantKnown && JobFactory.this.tenants.isEnabled()
					&& !Objects.equals(tenant, before.meta().get(Tenants.META_KEY))) {
				throw new InvalidJobException("meta." + Tenants.META_KEY, tenant,
						"must not be changed any more, and the middleware '%s' has done it: insert it before 'tenant'"
							.formatted(middleware));
			}
			JobFactory.this.encryption.checkUnmoved(before, after, middleware);
			return JobFactory.this.drafts.changed(before, after, this.now);
		}

	}

}
