package io.ojs.amqp.internal.control;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.Purpose;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.Job;
import io.ojs.job.UndecodableJobException;
import org.jspecify.annotations.Nullable;

/**
 * Creates and reads messages for requests about jobs and their answers.
 */
public final class ControlMessages {

	/** Requests the cancellation of a job. */
	public static final String CANCEL = "ojs.control.cancel";

	/** Reports that an attempt is alive. */
	public static final String HEARTBEAT = "ojs.control.heartbeat";

	/** Asks about a job; the answer goes to {@code reply_to}. */
	public static final String INFO = "ojs.control.info";

	/** Between workers: a cancelled job is gone. */
	static final String DROPPED = "ojs.control.dropped";

	/** Between workers: the answer to {@link #INFO}. */
	static final String ANSWER = "ojs.control.answer";

	/** Between workers: a new worker asks for earlier cancel requests. */
	static final String JOIN = "ojs.control.join";

	/** To workers: a queue whose jobs the job store delivers has available jobs. */
	static final String AVAILABLE = "ojs.control.available";

	/** In bytes; a longer body is not parsed, since no request is as long. */
	private static final int LONGEST_REQUEST = 16 * 1024;

	/** As long as an AMQP message id. */
	private static final int LONGEST_ID = 255;

	/** Leaves room for the rest of a queue name. */
	private static final int LONGEST_WORKER_ID = 100;

	private static final int PERSISTENT = 2;

	private static final int TRANSIENT = 1;

	/** No sender waits longer for an answer, and an older heartbeat is worthless. */
	private static final Duration FLEETING = Duration.ofSeconds(30);

	private final JobCodec codec;

	private final JsonObjects objects = new JsonObjects();

	public ControlMessages(JobCodec codec) {
		this.codec = codec;
	}

	/**
	 * Requests the cancellation of a job. The message is persistent, until a worker
	 * receives it.
	 */
	public OutgoingMessage cancel(String exchange, String routingKey, String jobId) {
		return message(exchange, routingKey, properties(CANCEL).deliveryMode(PERSISTENT), Map.of("job_id", jobId));
	}

	OutgoingMessage dropped(String exchange, String jobId) {
		return message(exchange, "", properties(DROPPED).deliveryMode(TRANSIENT), Map.of("job_id", jobId));
	}

	OutgoingMessage heartbeat(String exchange, String routingKey, String jobId, String workerId) {
		return message(exchange, routingKey, fleeting(HEARTBEAT), Map.of("job_id", jobId, "worker_id", workerId));
	}

	/** Passes on a heartbeat of another program. */
	OutgoingMessage passedOn(String exchange, byte[] heartbeat) {
		return new OutgoingMessage(exchange, "", fleeting(HEARTBEAT).build(), heartbeat, "", Purpose.CONTROL);
	}

	OutgoingMessage join(String exchange, String workerId) {
		return message(exchange, "", fleeting(JOIN), Map.of("worker_id", workerId));
	}

	OutgoingMessage available(String exchange, String queue) {
		return new OutgoingMessage(exchange, "", fleeting(AVAILABLE).build(),
				this.objects.write(Map.of("queue", queue)), false, queue, Purpose.CONTROL);
	}

	OutgoingMessage info(String exchange, String routingKey, String jobId, String replyTo, String correlationId) {
		return message(exchange, routingKey, fleeting(INFO).replyTo(replyTo).correlationId(correlationId),
				Map.of("job_id", jobId));
	}

	/**
	 * Creates an answer to the queue that the request names, through the default
	 * exchange.
	 */
	OutgoingMessage answer(String replyTo, @Nullable String correlationId, byte[] body) {
		return new OutgoingMessage("", replyTo, fleeting(ANSWER).correlationId(correlationId).build(), body, replyTo,
				Purpose.CONTROL);
	}

	/** The answer for a known job: its envelope, and which worker runs it. */
	byte[] found(Job job, Map<String, @Nullable Object> further) {
		Map<String, @Nullable Object> answer = new HashMap<>(further);
		answer.put("job", this.objects.read(this.codec.encode(job)));
		return this.objects.write(answer);
	}

	/** The answer for a job that is not known, or only by its id. */
	byte[] error(String code, String jobId, String message) {
		return this.objects.write(Map.of("error",
				Map.of("code", code, "message", message, "retryable", false, "details", Map.of("job_id", jobId))));
	}

	/**
	 * The job in an answer.
	 * @return the job; {@code null} if the answer has none
	 */
	@Nullable Job job(byte[] body) {
		Object job = this.objects.read(body).get("job");
		return (job instanceof Map<?, ?> envelope) ? this.codec.decode(this.objects.write(strings(envelope))) : null;
	}

	private static Map<String, @Nullable Object> strings(Map<?, ?> values) {
		Map<String, @Nullable Object> strings = new HashMap<>();
		values.forEach((name, value) -> strings.put(String.valueOf(name), value));
		return strings;
	}

	/**
	 * The job of a request.
	 * @throws UndecodableJobException if the body has no valid id
	 */
	String jobId(byte[] body) {
		return id(body, "job_id", LONGEST_ID);
	}

	/**
	 * The worker of a message.
	 * @throws UndecodableJobException if the body has no valid id
	 */
	String workerId(byte[] body) {
		return id(body, "worker_id", LONGEST_WORKER_ID);
	}

	/**
	 * The queue of a message.
	 * @throws UndecodableJobException if the body has no valid name
	 */
	String queue(byte[] body) {
		return id(body, "queue", LONGEST_ID);
	}

	private String id(byte[] body, String name, int longest) {
		if (body.length > LONGEST_REQUEST) {
			throw new UndecodableJobException(
					"The body has %d bytes; at most %d are read.".formatted(body.length, LONGEST_REQUEST));
		}
		if (this.objects.read(body).get(name) instanceof String id && !id.isEmpty() && id.length() <= longest) {
			return id;
		}
		throw new UndecodableJobException("The body has no '%s' of 1 to %d characters.".formatted(name, longest));
	}

	private static BasicProperties.Builder properties(String type) {
		return new BasicProperties.Builder().type(type)
			.contentType("application/json")
			.contentEncoding("utf-8")
			.appId("ojs");
	}

	private static BasicProperties.Builder fleeting(String type) {
		return properties(type).deliveryMode(TRANSIENT).expiration(Long.toString(FLEETING.toMillis()));
	}

	private OutgoingMessage message(String exchange, String routingKey, BasicProperties.Builder properties,
			Map<String, Object> body) {
		return new OutgoingMessage(exchange, routingKey, properties.build(), this.objects.write(body), routingKey,
				Purpose.CONTROL);
	}

}
