package io.ojs.amqp.internal.deadletter;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.OjsHeaders;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter from the broker. Any program may have written its headers: an invalid one
 * counts as missing.
 *
 * @param tag its delivery tag
 * @param properties its properties as they came
 * @param body its body
 * @param job the job; {@code null} if the message is no job
 */
record DeadLetter(long tag, BasicProperties properties, byte[] body, @Nullable Job job) {

	private static final int LONGEST_TIME = 64;

	/** Of a failure that has a place in the code. */
	private static final Pattern HASH = Pattern.compile("(?!0{16})[0-9a-f]{16}");

	static DeadLetter read(long tag, BasicProperties properties, byte[] body, JobMessages messages) {
		try {
			return new DeadLetter(tag, properties, body, messages.read(properties, body).job());
		}
		catch (RuntimeException ex) {
			// No job, or the application's own codec failed on it.
			return new DeadLetter(tag, properties, body, null);
		}
	}

	@Nullable String id() {
		return (this.job != null) ? this.job.id() : this.properties.getMessageId();
	}

	@Nullable String type() {
		return (this.job != null) ? this.job.type() : this.properties.getType();
	}

	/** A message that is no job belongs to no tenant, whatever its headers say. */
	@Nullable String tenant() {
		return (this.job != null) ? Tenants.of(this.job).orElse(null) : null;
	}

	@Nullable String errorType() {
		return text(OjsHeaders.ERROR_TYPE);
	}

	@Nullable String errorCode() {
		return text(OjsHeaders.ERROR_CODE);
	}

	@Nullable String stackHash() {
		return text(OjsHeaders.ERROR_STACK_HASH);
	}

	/**
	 * The broker's reason if the broker moved the message itself. Its error headers are
	 * older then.
	 */
	@Nullable String reason() {
		Map<?, ?> last = lastDeath();
		Object reason = (last != null) ? last.get("reason") : null;
		return (reason instanceof LongString || reason instanceof String) ? reason.toString() : null;
	}

	/**
	 * The error that a worker wrote into the headers.
	 * @param now the time of the error if the headers have none
	 * @return the error; {@code null} if the broker moved the message, or no worker wrote
	 * one
	 */
	@Nullable JobError error(int attempt, Instant now) {
		String code = errorCode();
		if (lastDeath() != null || code == null) {
			return null;
		}
		Instant at = deadAt();
		String type = errorType();
		String message = text(OjsHeaders.ERROR_MESSAGE);
		return new JobError((type != null) ? type : code, code, (message != null) ? message : "", attempt,
				Rfc3339.utc((at != null && at.isBefore(now)) ? at : now), List.of(), Map.of());
	}

	/**
	 * The hash of the error that a worker wrote into the headers.
	 * @return the hash; {@code null} if there is no valid one, or the broker moved the
	 * message
	 */
	@Nullable String errorHash() {
		String hash = stackHash();
		return (lastDeath() == null && hash != null && HASH.matcher(hash).matches()) ? hash : null;
	}

	private @Nullable Map<?, ?> lastDeath() {
		return (header("x-death") instanceof List<?> deaths && !deaths.isEmpty()
				&& deaths.get(0) instanceof Map<?, ?> last) ? last : null;
	}

	boolean isReplayedBy(String run) {
		return run.equals(text(OjsHeaders.REPLAY_RUN));
	}

	/**
	 * When the job died: the broker's time if the broker moved the message, and else the
	 * worker's.
	 */
	@Nullable Instant deadAt() {
		Map<?, ?> last = lastDeath();
		if (last != null && last.get("time") instanceof Date time) {
			return time.toInstant();
		}
		String text = text(OjsHeaders.ERROR_AT);
		if (text == null || text.length() > LONGEST_TIME) {
			return null;
		}
		try {
			return Rfc3339.parse(OjsHeaders.ERROR_AT, text).toInstant();
		}
		catch (InvalidJobException ex) {
			return null;
		}
	}

	private @Nullable String text(String name) {
		Object value = header(name);
		return (value instanceof LongString || value instanceof String) ? value.toString() : null;
	}

	private @Nullable Object header(String name) {
		Map<String, Object> headers = this.properties.getHeaders();
		return (headers != null) ? headers.get(name) : null;
	}

	boolean matches(DeadLetterFilter filter) {
		Instant deadAt = deadAt();
		return (filter.ids().isEmpty() || filter.ids().contains(String.valueOf(id()).toLowerCase(Locale.ROOT)))
				&& matches(filter.type(), type()) && matches(filter.errorType(), errorType())
				&& matches(filter.errorCode(), errorCode())
				&& (filter.stackHash() == null || filter.stackHash().equalsIgnoreCase(stackHash()))
				&& (filter.tenant() == null || filter.tenant().equals(tenant()))
				&& (filter.since() == null || (deadAt != null && !deadAt.isBefore(filter.since())))
				&& (filter.until() == null || (deadAt != null && deadAt.isBefore(filter.until())));
	}

	private static boolean matches(@Nullable String pattern, @Nullable String value) {
		if (pattern == null) {
			return true;
		}
		if (value == null) {
			return false;
		}
		return DeadLetterFilter.isPrefix(pattern) ? value.startsWith(pattern.substring(0, pattern.length() - 1))
				: value.equals(pattern);
	}

}
