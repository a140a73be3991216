package io.ojs.amqp.internal.message;

import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JobCodec;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.Rfc3339;
import io.ojs.job.internal.VersionedType;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;

/**
 * Converts jobs to messages and back (AMQP binding §6).
 */
public final class JobMessages {

	private static final String APP_ID = "ojs";

	private static final String IDEMPOTENCY_KEY = "idempotency_key";

	private static final int PERSISTENT = 2;

	/** In bytes; the limit of AMQP for properties that are not headers. */
	private static final int LONGEST_SHORT_STRING = 255;

	/**
	 * In bytes. All headers together must fit into one frame, which is 128 KiB by
	 * default.
	 */
	private static final int LONGEST_HEADER = 8 * 1024;

	private final JobCodec codec;

	private final int maxBodyBytes;

	public JobMessages(JobCodec codec) {
		this(codec, Integer.MAX_VALUE);
	}

	/**
	 * Creates a converter that limits the size of bodies that it reads.
	 * @param maxBodyBytes the longest body in bytes; a longer one is not parsed and
	 * counts as undecodable
	 */
	public JobMessages(JobCodec codec, int maxBodyBytes) {
		this.codec = codec;
		this.maxBodyBytes = maxBodyBytes;
	}

	/**
	 * The properties and headers of a new job.
	 * @return the properties and headers that AMQP binding §6 lists, and no others
	 * @throws InvalidJobException if AMQP cannot carry a value
	 */
	public BasicProperties properties(EncodedJob encoded, Map<String, String> trace) {
		return properties(encoded.job(), headers(encoded, trace));
	}

	/**
	 * The properties and headers of a job that a job store keeps.
	 * @param store the id of the store; {@code null} if the job is handed over, so that
	 * any store may take it
	 * @return those of a new job, the id of the store, the number of the next attempt,
	 * and the number of replays
	 * @throws InvalidJobException if AMQP cannot carry a value
	 */
	public BasicProperties properties(RelayedJob relayed, @Nullable String store) {
		Map<String, Object> headers = headers(relayed.encoded(), relayed.headers());
		headers.put(OjsHeaders.ATTEMPT, relayed.attempt());
		if (store != null) {
			headers.put(OjsHeaders.STORE, store);
		}
		if (relayed.replays() > 0) {
			headers.put(OjsHeaders.REPLAYS, relayed.replays());
		}
		return properties(relayed.encoded().job(), headers);
	}

	private BasicProperties properties(Job job, Map<String, Object> headers) {
		BasicProperties.Builder properties = new BasicProperties.Builder().messageId(job.id())
			.type(job.type())
			.contentType(this.codec.contentType())
			.contentEncoding("utf-8")
			.deliveryMode(PERSISTENT)
			.appId(APP_ID)
			.headers(headers);
		if (job.createdAt() != null) {
			properties.timestamp(Date.from(job.createdAt().toInstant()));
		}
		if (job.priority() != null) {
			properties.priority(AmqpPriority.of(job.priority()));
		}
		if (job.meta().get("correlation_id") instanceof String correlationId) {
			properties.correlationId(atMost("meta.correlation_id", correlationId, LONGEST_SHORT_STRING));
		}
		return properties.build();
	}

	private static Map<String, Object> headers(EncodedJob encoded, Map<String, String> trace) {
		Job job = encoded.job();
		Map<String, Object> headers = new LinkedHashMap<>();
		headers.put(OjsHeaders.QUEUE, job.queue());
		headers.put(OjsHeaders.ATTEMPT, job.attempt() + 1);
		headers.put(OjsHeaders.MAX_ATTEMPTS, encoded.maxAttempts());
		put(headers, OjsHeaders.CREATED_AT, job.createdAt());
		put(headers, OjsHeaders.ENQUEUED_AT, job.enqueuedAt());
		put(headers, OjsHeaders.SCHEDULED_AT, job.scheduledAt());
		if (!job.tags().isEmpty()) {
			headers.put(OjsHeaders.TAGS, atMost("meta.tags", String.join(",", job.tags()), LONGEST_HEADER));
		}
		if (job.extensions().get(IDEMPOTENCY_KEY) instanceof String key) {
			headers.put(OjsHeaders.IDEMPOTENCY_KEY, atMost(IDEMPOTENCY_KEY, key, LONGEST_HEADER));
		}
		headers.putAll(trace);
		return headers;
	}

	private static String atMost(String field, String text, int bytes) {
		int length = text.getBytes(StandardCharsets.UTF_8).length;
		if (length > bytes) {
			throw new InvalidJobException(field, length + " bytes", "must be at most %d bytes".formatted(bytes));
		}
		return text;
	}

	private static void put(Map<String, Object> headers, String name, @Nullable OffsetDateTime time) {
		if (time != null) {
			headers.put(name, Rfc3339.format(time));
		}
	}

	/**
	 * Reads a message. Properties that repeat fields of the envelope may be missing, but
	 * must not contradict it. An idempotency key that only the header has is added to the
	 * envelope.
	 * @throws UndecodableJobException if the message is no job
	 */
	public ReceivedJob read(BasicProperties properties, byte[] body) {
		if (body.length > this.maxBodyBytes) {
			throw new UndecodableJobException(
					"The body has %d bytes, more than %d: have the producer pass a reference to the data, or raise ojs.max-received-size."
						.formatted(body.length, this.maxBodyBytes));
		}
		checkContentType(properties.getContentType());
		String encoding = properties.getContentEncoding();
		if (encoding != null && !encoding.equalsIgnoreCase("utf-8")) {
			throw new UndecodableJobException("The content_encoding is '%s', not utf-8.".formatted(encoding));
		}
		Integer attempt = count(properties, OjsHeaders.ATTEMPT, 1);
		Integer maxAttempts = count(properties, OjsHeaders.MAX_ATTEMPTS, 0);
		Job job = this.codec.decode(body);
		agree("message_id", properties.getMessageId(), "id", job.id());
		agree("type", type(properties), "type", job.type());
		Job keyed = keyed(job, properties);
		return new ReceivedJob(keyed, (keyed != job) ? this.codec.encode(keyed) : body, (attempt != null) ? attempt : 1,
				(maxAttempts != null) ? (Integer) Math.max(1, maxAttempts) : null, store(properties));
	}

	private static @Nullable String store(BasicProperties properties) {
		Object id = (properties.getHeaders() != null) ? properties.getHeaders().get(OjsHeaders.STORE) : null;
		return (id instanceof LongString || id instanceof String) ? id.toString() : null;
	}

	private static Job keyed(Job job, BasicProperties properties) {
		Object header = (properties.getHeaders() != null) ? properties.getHeaders().get(OjsHeaders.IDEMPOTENCY_KEY)
				: null;
		if (header == null) {
			return job;
		}
		if (!(header instanceof String || header instanceof LongString)) {
			throw new UndecodableJobException(
					"The header %s must be a string, but was '%s'.".formatted(OjsHeaders.IDEMPOTENCY_KEY, header));
		}
		String key = header.toString();
		Object own = job.extensions().get(IDEMPOTENCY_KEY);
		if (own != null && !own.equals(key)) {
			throw new UndecodableJobException("The message's %s is '%s', but the envelope's %s is '%s'."
				.formatted(OjsHeaders.IDEMPOTENCY_KEY, key, IDEMPOTENCY_KEY, own));
		}
		if (own != null) {
			return job;
		}
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>(job.extensions());
		extensions.put(IDEMPOTENCY_KEY, key);
		return job.toBuilder().extensions(extensions).build();
	}

	/**
	 * The name of the producer of a message: its user name at the broker, or else the
	 * application id that it claims.
	 * @return the name; {@code anonymous} if the message has none
	 */
	public static String producer(BasicProperties properties) {
		String user = properties.getUserId();
		String application = (user != null) ? user : properties.getAppId();
		return (application != null) ? application : Producers.ANONYMOUS;
	}

	/** Without the version that a producer may have appended. */
	private static @Nullable String type(BasicProperties properties) {
		return (properties.getType() != null) ? VersionedType.split(properties.getType()).type() : null;
	}

	private void checkContentType(@Nullable String contentType) {
		// Not trim(): it removes NUL characters too.
		String mediaType = (contentType != null) ? contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT) : "";
		if (!mediaType.equals(this.codec.contentType()) && !mediaType.equals("application/json")) {
			throw new UndecodableJobException("The content_type is %s, not %s."
				.formatted((contentType != null) ? "'" + contentType + "'" : "missing", this.codec.contentType()));
		}
	}

	private static void agree(String property, @Nullable String ofMessage, String field, String ofEnvelope) {
		if (ofMessage != null && !ofMessage.equalsIgnoreCase(ofEnvelope)) {
			throw new UndecodableJobException("The message's %s is '%s', but the envelope's %s is '%s'."
				.formatted(property, ofMessage, field, ofEnvelope));
		}
	}

	private static @Nullable Integer count(BasicProperties properties, String header, int least) {
		Object value = (properties.getHeaders() != null) ? properties.getHeaders().get(header) : null;
		if (value == null) {
			return null;
		}
		boolean whole = value instanceof Integer || value instanceof Long || value instanceof Short
				|| value instanceof Byte;
		long number = whole ? ((Number) value).longValue() : -1;
		if (number < least || number > Integer.MAX_VALUE - 1) {
			throw new UndecodableJobException(
					"The header %s must be an integer from %d, but was '%s'.".formatted(header, least, value));
		}
		return (int) number;
	}

}
