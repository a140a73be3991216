package io.ojs.internal.engine;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.VersionKey;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Converts jobs to rows, and rows to jobs.
 */
public final class JobRowCodec {

	private static final Logger logger = SafeLogger.of(JobRowCodec.class);

	/**
	 * Stands for a type or a queue that another program has written and no job can have.
	 */
	private static final String INVALID = "invalid";

	private final JobCodec codec;

	private final Clock clock;

	private final Charset charset;

	private final JsonText json = new JsonText();

	/**
	 * Creates a codec.
	 * @param codec reads and writes envelopes; rows keep them as text, so it has to write
	 * UTF-8
	 */
	public JobRowCodec(JobCodec codec, Clock clock) {
		this(codec, clock, StandardCharsets.UTF_8);
	}

	/** Creates a codec for rows that are not in a database. */
	JobRowCodec(JobCodec codec, Clock clock, Charset charset) {
		this.codec = codec;
		this.clock = clock;
		this.charset = charset;
	}

	/** Returns the codec for the JSON columns of rows. */
	public JsonText json() {
		return this.json;
	}

	/**
	 * Creates the row of a job that is new to the store, in the state of the job.
	 * @throws UndecodableJobException if the envelope is not UTF-8
	 */
	public JobRow create(EncodedJob encoded, Map<String, String> headers) {
		Job job = encoded.job();
		JobRow row = new JobRow(UUID.fromString(job.id()));
		Instant now = this.clock.instant();
		row.type = job.type();
		row.queue = job.queue();
		row.state = (job.state() != null) ? job.state() : JobState.AVAILABLE;
		row.priority = (job.priority() != null) ? job.priority() : 0;
		row.attempt = job.attempt();
		row.maxAttempts = encoded.maxAttempts();
		row.sizeBytes = encoded.body().length;
		row.createdAt = instant(job.createdAt(), now);
		row.enqueuedAt = instant(job.enqueuedAt(), row.createdAt);
		row.scheduledAt = Times.micros(job.scheduledAt());
		row.expiresAt = Times.micros(job.expiresAt());
		row.uniqueKey = encoded.uniqueKey();
		row.tenant = Tenants.of(job).orElse(null);
		row.rateKey = rateKey(job, row.tenant);
		row.versionKey = versionKey(job);
		row.headers = this.json.writeHeaders(headers);
		row.envelope = text(job.id(), encoded.body());
		return row;
	}

	/**
	 * Replaces the content of a row by that of another job.
	 * @param like the row to take the headers and the number of attempts from
	 */
	public void replace(JobRow row, Job job, JobRow like) {
		byte[] body = this.codec.encode(job);
		row.type = job.type();
		row.queue = job.queue();
		row.priority = (job.priority() != null) ? job.priority() : 0;
		row.maxAttempts = like.maxAttempts;
		row.sizeBytes = body.length;
		row.scheduledAt = Times.micros(job.scheduledAt());
		row.expiresAt = Times.micros(job.expiresAt());
		row.tenant = Tenants.of(job).orElse(null);
		row.rateKey = rateKey(job, row.tenant);
		row.versionKey = versionKey(job);
		row.headers = like.headers;
		row.envelope = text(job.id(), body);
	}

	private static @Nullable String rateKey(Job job, @Nullable String tenant) {
		return RateLimitJson.of(job).map((limit) -> limit.partition(tenant)).orElse(null);
	}

	private static @Nullable Long versionKey(Job job) {
		JobVersion version = job.version();
		return (version != null) ? (Long) VersionKey.of(version) : null;
	}

	private static Instant instant(@Nullable OffsetDateTime time, Instant otherwise) {
		return (time != null) ? Times.micros(time.toInstant()) : Times.micros(otherwise);
	}

	private String text(String jobId, byte[] body) {
		try {
			return this.charset.newDecoder().decode(ByteBuffer.wrap(body)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new UndecodableJobException(
					"The envelope of job '%s' is not UTF-8 (%d bytes); the job store keeps only envelopes that are."
						.formatted(jobId, body.length),
					ex);
		}
	}

	/** Returns the job of a row. */
	public StoredJob stored(JobRow row) {
		return stored(row, envelope(row));
	}

	/**
	 * Returns the job of a row. Does not decode the envelope if it equals that of a given
	 * job.
	 * @param atHand a job that may be the one in the row
	 */
	public StoredJob stored(JobRow row, EncodedJob atHand) {
		boolean same = row.envelope.equals(new String(atHand.body(), this.charset));
		return stored(row, same ? atHand.job() : envelope(row));
	}

	private StoredJob stored(JobRow row, Job job) {
		boolean waits = row.state == JobState.SCHEDULED || row.state == JobState.RETRYABLE;
		return new StoredJob(shown(row, job), row.maxAttempts, this.json.readHeaders(row.headers),
				waits ? row.dueAt : null, row.deadLetteredAt, row.deadLetterQueue, row.replays, row.worker);
	}

	private Job shown(JobRow row, Job job) {
		try {
			return overlay(row, row.queue, job);
		}
		catch (InvalidJobException ex) {
			logger.warn("Job '{}' is shown in the queue '{}': {}", row.id, INVALID, ex.getMessage());
			return overlay(row, INVALID, job);
		}
	}

	/**
	 * Returns the job of a row for the relay.
	 * @param until when the relay publishes the job again, unless it is noted as
	 * published by then
	 * @return the job with its original envelope, and its progress
	 */
	public RelayedJob relayed(JobRow row, Instant until) {
		return new RelayedJob(encoded(row), row.attempt + 1, this.json.readHeaders(row.headers), row.replays, until);
	}

	/** Returns the job of a row for workers. */
	public EncodedJob encoded(JobRow row) {
		byte[] body = row.envelope.getBytes(this.charset);
		Job job = overlay(row, row.queue, this.codec.decode(body));
		return new EncodedJob(job, body, row.maxAttempts, row.uniqueKey);
	}

	/**
	 * Returns the job in the envelope of a row, without its progress.
	 * @return the job; without arguments if the envelope cannot be read
	 */
	public Job envelope(JobRow row) {
		try {
			return this.codec.decode(row.envelope.getBytes(this.charset));
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			// A list of jobs has to show all of them, even one that cannot be read.
			logger.warn("The envelope of job '{}' cannot be read; its arguments are left out.", row.id, ex);
			return Job
				.builder(row.id.toString(), orInvalid(JobRules::type, row.type), orInvalid(JobRules::queue, row.queue))
				.meta((row.tenant != null) ? Map.of(Tenants.META_KEY, row.tenant) : Map.of())
				.build();
		}
	}

	/** Returns a value of a row, or a substitute for one that no job can have. */
	private static String orInvalid(UnaryOperator<String> rule, String value) {
		try {
			return rule.apply(value);
		}
		catch (InvalidJobException ex) {
			return INVALID;
		}
	}

	private Job overlay(JobRow row, String queue, Job job) {
		return new Job(job.specVersion(), job.id(), job.type(), queue, job.args(), job.meta(), job.priority(),
				job.timeout(), job.scheduledAt(), job.expiresAt(), job.retry(), job.unique(), row.state, row.attempt,
				Times.utc(row.createdAt), Times.utc(row.enqueuedAt), Times.utcOrNull(row.startedAt),
				Times.utcOrNull(row.endedAt), this.json.read(row.result), this.json.readErrors(row.errors),
				job.extensions());
	}

}
