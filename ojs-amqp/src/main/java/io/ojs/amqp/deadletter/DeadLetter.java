package io.ojs.amqp.deadletter;

import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.OjsHeaders;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a dead letter. Its headers may be anybody's: what is not as it should
 * be is taken as not there.
 *
 * @param tag to settle it by
 * @param properties its properties as they came
 * @param body its body
 * @param job the job, unless the message is none
 */
record DeadLetter(long tag, BasicProperties properties, byte[] body, @Nullable Job job) {

	private static final int LONGEST_TIME = 64;

	static DeadLetter read(long tag, BasicProperties properties, byte[] body, JobMessages messages) {
		try {
			return new DeadLetter(tag, properties, body, messages.read(properties, body).job());
		}
		catch (RuntimeException ex) {
			// No job, or one that only a codec of somebody's own fails to read.
			return new DeadLetter(tag, properties, body, null);
		}
	}

	@Nullable String id() {
		return (this.job != null) ? this.job.id() : this.properties.getMessageId();
	}

	@Nullable String type() {
		return (this.job != null) ? this.job.type() : this.properties.getType();
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

	boolean isReplayedBy(String run) {
		return run.equals(text(OjsHeaders.REPLAY_RUN));
	}

	/**
	 * When it died. The broker writes that down only for what it moved by itself, and
	 * then nobody else did.
	 */
	@Nullable Instant deadAt() {
		if (header("x-death") instanceof List<?> deaths && !deaths.isEmpty() && deaths.get(0) instanceof Map<?, ?> last
				&& last.get("time") instanceof Date time) {
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

}
