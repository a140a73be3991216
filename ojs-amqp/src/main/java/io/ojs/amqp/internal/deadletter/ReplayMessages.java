package io.ojs.amqp.internal.deadletter;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.OjsHeaders;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.Republishing;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.ReplayMarks;
import io.ojs.internal.json.EnvelopeEditor;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Builds the messages that a replay publishes: jobs that start again, and dead letters
 * that stay.
 */
final class ReplayMessages {

	/** Routes to every queue by its name, and to no other. */
	private static final String DEFAULT_EXCHANGE = "";

	private final EnvelopeEditor editor = new EnvelopeEditor();

	private final OjsNaming naming;

	private final ReplayRequest request;

	private final JobMessages messages;

	/** Tells the jobs of this replay from others. */
	private final String run = UUID.randomUUID().toString();

	private final int frameMax;

	ReplayMessages(OjsNaming naming, ReplayRequest request, JobMessages messages, int frameMax) {
		this.naming = naming;
		this.request = request;
		this.messages = messages;
		this.frameMax = frameMax;
	}

	boolean isReplayed(DeadLetter letter) {
		return letter.isReplayedBy(this.run);
	}

	/** Reads a replayed job, as the replay has changed it. */
	@Nullable Job job(OutgoingMessage message) {
		return DeadLetter.read(0, message.properties(), message.body(), this.messages).job();
	}

	OutgoingMessage replay(DeadLetter letter) {
		ReplayOverrides overrides = this.request.options().overrides();
		Map<String, Object> headers = new LinkedHashMap<>();
		headers.put(OjsHeaders.REPLAY_RUN, this.run);
		if (overrides.queue() != null) {
			headers.put(OjsHeaders.QUEUE, overrides.queue());
		}
		Integer maxAttempts = this.request.maxAttempts();
		if (maxAttempts != null) {
			headers.put(OjsHeaders.MAX_ATTEMPTS, maxAttempts);
		}
		return new OutgoingMessage(this.naming.directExchange(),
				(overrides.queue() != null) ? overrides.queue() : this.request.queue(),
				Republishing.forReplay(letter.properties(), headers, overrides.priority()), body(letter));
	}

	/** The body of a message that is no job stays as it is. */
	private byte[] body(DeadLetter letter) {
		return (letter.job() != null) ? this.editor.edit(letter.body(), this::change) : letter.body();
	}

	private void change(Map<String, @Nullable Object> envelope) {
		countReplay(envelope);
		ReplayOverrides overrides = this.request.options().overrides();
		if (overrides.queue() != null) {
			envelope.put("queue", overrides.queue());
		}
		if (overrides.priority() != null) {
			envelope.put("priority", overrides.priority());
		}
	}

	/**
	 * Counts the replay in {@code meta} (OJS Dead Letter §7.2), unless {@code meta} is no
	 * object: then it belongs to the application and stays.
	 */
	@SuppressWarnings("unchecked")
	private static void countReplay(Map<String, @Nullable Object> envelope) {
		Object meta = envelope.get("meta");
		if (meta == null) {
			meta = new LinkedHashMap<String, @Nullable Object>();
			envelope.put("meta", meta);
		}
		if (meta instanceof Map<?, ?> object) {
			int count = (object.get(ReplayMarks.COUNT) instanceof Integer before && before > 0) ? before : 0;
			((Map<String, @Nullable Object>) object).put(ReplayMarks.COUNT,
					(count < Integer.MAX_VALUE) ? count + 1 : count);
		}
	}

	OutgoingMessage keep(DeadLetter letter) {
		return new OutgoingMessage(DEFAULT_EXCHANGE, this.naming.deadLetterQueue(this.request.queue()),
				Republishing.forKeeping(letter.properties(), this.frameMax), letter.body());
	}

}
