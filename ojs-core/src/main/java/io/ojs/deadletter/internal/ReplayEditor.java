package io.ojs.deadletter.internal;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.client.internal.EncodedJob;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.internal.json.EnvelopeEditor;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * Makes the replayed job from a dead letter. Unknown fields stay as they are.
 */
final class ReplayEditor {

	/**
	 * More bytes than the marks of a replay need, so that a job of the largest size can
	 * be replayed.
	 */
	private static final int MARKS = 256;

	private final EnvelopeEditor editor = new EnvelopeEditor();

	private final JobCodec codec;

	private final JobEncryption encryption;

	private final int maxEnvelopeBytes;

	private final ReplayOverrides overrides;

	private final @Nullable List<@Nullable Object> args;

	private final Map<String, @Nullable Object> meta;

	private final Map<String, @Nullable Object> retry;

	ReplayEditor(JobCodec codec, JsonValues values, JobEncryption encryption, int maxEnvelopeBytes,
			ReplayOverrides overrides) {
		this.encryption = encryption;
		this.codec = codec;
		this.maxEnvelopeBytes = maxEnvelopeBytes;
		this.overrides = overrides;
		this.args = (overrides.args() != null) ? values.toJsonArray("args", overrides.args()) : null;
		this.meta = object(Objects.requireNonNull(values.toJson("meta", overrides.meta())));
		this.retry = (overrides.retry() != null) ? EnvelopeEditor.retry(overrides.retry()) : Map.of();
	}

	/**
	 * Makes the replayed job.
	 * @throws InvalidJobException if the job breaks a rule
	 */
	EncodedJob edit(KeptDeadLetter letter, Instant now) {
		if (letter.stored().job().type().equals(JobRules.WEBHOOK_TYPE)) {
			checkUnchanged();
		}
		byte[] body = this.editor.edit(letter.body(), (envelope) -> change(envelope, letter, now));
		if (body.length > Math.max(this.maxEnvelopeBytes, letter.body().length) + MARKS) {
			throw new InvalidJobException((this.args != null) ? "args" : "meta",
					"%d bytes in all".formatted(body.length),
					"makes the envelope larger than %d bytes; pass a reference to the data, or raise ojs.max-envelope-size"
						.formatted(this.maxEnvelopeBytes));
		}
		Job job = decode(body);
		Integer maxAttempts = (this.overrides.retry() != null) ? this.overrides.retry().maxAttempts() : null;
		return new EncodedJob(job, body,
				(maxAttempts != null) ? Math.max(1, maxAttempts) : letter.stored().maxAttempts());
	}

	/**
	 * Refuses changes of a webhook job: otherwise the application would sign an event
	 * that never happened.
	 */
	private void checkUnchanged() {
		String field = (this.args != null) ? "args"
				: (!this.meta.isEmpty() ? "meta" : ((this.overrides.queue() != null) ? "queue" : null));
		if (field != null) {
			throw new InvalidJobException(field, "another",
					"must stay as it is in a job that delivers an event, which is signed by the application");
		}
	}

	private void change(Map<String, @Nullable Object> envelope, KeptDeadLetter letter, Instant now) {
		// The job may have been moved since it was enqueued.
		String queue = (this.overrides.queue() != null) ? this.overrides.queue() : letter.stored().job().queue();
		if (!queue.equals(envelope.getOrDefault("queue", JobRules.DEFAULT_QUEUE))) {
			envelope.put("queue", queue);
		}
		if (this.overrides.priority() != null) {
			envelope.put("priority", this.overrides.priority());
		}
		if (!this.retry.isEmpty()) {
			nested(envelope, "retry").putAll(this.retry);
		}
		Map<String, @Nullable Object> replayed = nested(envelope, "meta");
		replayed.putAll(this.meta);
		if (this.args != null) {
			args(envelope, replayed, letter.stored().job());
		}
		int before = letter.stored().replays();
		replayed.put(ReplayMarks.COUNT, (before < Integer.MAX_VALUE) ? before + 1 : before);
		replayed.put(ReplayMarks.LAST_AT, Rfc3339.format(now));
		envelope.put("enqueued_at", Rfc3339.format(now));
		// The envelope has the values of its first publication.
		envelope.computeIfPresent("state", (field, value) -> JobState.AVAILABLE.wireName());
		envelope.computeIfPresent("attempt", (field, value) -> 0);
	}

	/**
	 * Sets new arguments. Encrypts them if the old ones were encrypted, or if jobs of
	 * this type and queue are encrypted now.
	 */
	private void args(Map<String, @Nullable Object> envelope, Map<String, @Nullable Object> meta, Job job) {
		List<@Nullable Object> args = Objects.requireNonNull(this.args);
		boolean secret = envelope.get("args") instanceof List<?> before && JobEncryption.isEncoded(before)
				|| this.encryption.encrypts(String.valueOf(envelope.get("type")),
						String.valueOf(envelope.get("queue")));
		if (!secret || JobEncryption.isEncoded(args)) {
			envelope.put("args", args);
			// The value belonged to the old ciphertext.
			if (!this.meta.containsKey(JobEncryption.BOUND_TO)) {
				meta.remove(JobEncryption.BOUND_TO);
			}
			return;
		}
		JobEncryption.Sealed sealed = sealed(args, job);
		envelope.put("args", sealed.args());
		meta.remove(JobEncryption.BOUND_TO);
		meta.putAll(sealed.meta());
	}

	private JobEncryption.Sealed sealed(List<@Nullable Object> args, Job job) {
		try {
			return this.encryption.seal(args, job);
		}
		catch (InvalidEncryptionKeyException ex) {
			throw new InvalidJobException("args", JobEncryption.PLACEHOLDER,
					"must stay as they are here, since they are encrypted and this application has no key to encrypt "
							+ "others with",
					ex);
		}
	}

	/**
	 * Returns a nested object, or creates it. Other types were rejected when the job was
	 * read.
	 */
	private static Map<String, @Nullable Object> nested(Map<String, @Nullable Object> envelope, String field) {
		if (!(envelope.get(field) instanceof Map<?, ?>)) {
			envelope.put(field, new LinkedHashMap<String, @Nullable Object>());
		}
		return object(Objects.requireNonNull(envelope.get(field)));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, @Nullable Object> object(Object value) {
		return (Map<String, @Nullable Object>) value;
	}

	private Job decode(byte[] body) {
		try {
			return this.codec.decode(body);
		}
		catch (UndecodableJobException ex) {
			if (ex.getCause() instanceof InvalidJobException invalid) {
				throw invalid;
			}
			throw new InvalidJobException("args", ex.getMessage(), "must be data that every reader takes", ex);
		}
	}

}
