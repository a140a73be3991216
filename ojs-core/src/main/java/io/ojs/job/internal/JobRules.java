package io.ojs.job.internal;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * The rules for single fields of the envelope (OJS Core §5.1, §5.2). Each method returns
 * the value in its canonical form or throws an {@link InvalidJobException}.
 */
public final class JobRules {

	/** The queue of a job that does not name one. */
	public static final String DEFAULT_QUEUE = "default";

	/** The version of OJS that this library implements. */
	public static final String SPEC_VERSION = "1.0";

	/**
	 * The type of jobs that deliver events to webhooks. Only the library enqueues them.
	 */
	public static final String WEBHOOK_TYPE = "ojs.webhook.deliver";

	/**
	 * The prefix of the keys of limits for webhook deliveries. No other limit may use it.
	 */
	public static final String WEBHOOK_LIMIT = "ojs.webhook:";

	/** Lowest priority. */
	public static final int MIN_PRIORITY = -100;

	/** Highest priority. */
	public static final int MAX_PRIORITY = 100;

	private static final int MAX_TYPE_LENGTH = 255;

	private static final int MAX_QUEUE_LENGTH = 128;

	/**
	 * Names with these prefixes could collide with the dead letter queues, retry queues,
	 * control queues and delay queues of other queues.
	 */
	private static final List<String> RESERVED_QUEUE_PREFIXES = List.of("dlx.", "retry.", "control.", "delay.");

	private static final int UUID_LENGTH = 36;

	private static final Pattern SPEC = Pattern.compile("1(\\.\\d+){1,2}(-[0-9A-Za-z.-]+)?");

	/** The fields of OJS Core, for which {@link Job} has a component. */
	private static final Set<String> FIELDS = Set.of("specversion", "id", "type", "queue", "args", "meta", "priority",
			"timeout", "scheduled_at", "expires_at", "retry", "state", "attempt", "created_at", "enqueued_at",
			"started_at", "completed_at", "result", "errors");

	private JobRules() {
	}

	/**
	 * Checks a spec version.
	 * @param value any 1.x version
	 */
	public static String specVersion(@Nullable String value) {
		if (!SPEC_VERSION.equals(value) && (value == null || !SPEC.matcher(value).matches())) {
			throw new InvalidJobException("specversion", value, "must be \"1.0\"");
		}
		return value;
	}

	/**
	 * Checks a job id.
	 * @param value a UUIDv7, in either case
	 */
	public static String id(@Nullable String value) {
		String id = (value != null) ? value.toLowerCase(Locale.ROOT) : "";
		if (!isUuid7(id)) {
			throw new InvalidJobException("id", value, "must be a UUIDv7 such as 019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
		}
		return id;
	}

	/**
	 * Checks a job type.
	 * @param value dot-separated segments of {@code [a-z][a-z0-9_-]*}, 1 to 255
	 * characters
	 */
	public static String type(@Nullable String value) {
		if (value == null || value.length() > MAX_TYPE_LENGTH || !isType(value)) {
			throw new InvalidJobException("type", value,
					"must be dot-separated segments of lower-case letters, digits, '_' and '-', each beginning with a "
							+ "letter, such as email.send, at most 255 characters");
		}
		return value;
	}

	/**
	 * Checks a queue name.
	 * @param value {@code [a-z0-9][a-z0-9.-]*}, 1 to 128 characters, not beginning with
	 * {@code dlx.}, {@code retry.}, {@code control.} or {@code delay.}
	 */
	public static String queue(@Nullable String value) {
		if (value == null || value.length() > MAX_QUEUE_LENGTH || !isQueue(value)) {
			throw new InvalidJobException("queue", value,
					"must be lower-case letters, digits, '.' and '-', beginning with a letter or digit, "
							+ "at most 128 characters");
		}
		for (String reserved : RESERVED_QUEUE_PREFIXES) {
			if (value.startsWith(reserved)) {
				throw new InvalidJobException("queue", value, "must not begin with '" + reserved
						+ "', which names the queues that the binding keeps beside a job queue");
			}
		}
		return value;
	}

	// No regular expressions: each job is checked when it is created and when it is read,
	// and matching took a fourteenth of the time of a process whose handlers do nothing.

	private static boolean isUuid7(String id) {
		if (id.length() != UUID_LENGTH) {
			return false;
		}
		for (int i = 0; i < UUID_LENGTH; i++) {
			char c = id.charAt(i);
			boolean fits = switch (i) {
				case 8, 13, 18, 23 -> c == '-';
				case 14 -> c == '7';
				case 19 -> c == '8' || c == '9' || c == 'a' || c == 'b';
				default -> isDigit(c) || (c >= 'a' && c <= 'f');
			};
			if (!fits) {
				return false;
			}
		}
		return true;
	}

	/** Whether a value is segments of {@code [a-z][a-z0-9_-]*}, separated by dots. */
	private static boolean isType(String value) {
		boolean begins = true;
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			if (c == '.' && !begins) {
				begins = true;
			}
			else if (isLetter(c) || (!begins && (isDigit(c) || c == '_' || c == '-'))) {
				begins = false;
			}
			else {
				return false;
			}
		}
		return !begins;
	}

	/** Whether a value is {@code [a-z0-9][a-z0-9.-]*}. */
	private static boolean isQueue(String value) {
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			if (!isLetter(c) && !isDigit(c) && (i == 0 || (c != '.' && c != '-'))) {
				return false;
			}
		}
		return !value.isEmpty();
	}

	private static boolean isLetter(char c) {
		return c >= 'a' && c <= 'z';
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

	/**
	 * Checks a priority.
	 * @param value −100 to 100; higher runs first
	 */
	public static int priority(int value) {
		if (value < MIN_PRIORITY || value > MAX_PRIORITY) {
			throw new InvalidJobException("priority", value, "must be between -100 and 100");
		}
		return value;
	}

	/**
	 * Checks a timeout.
	 * @param value whole seconds, 1 to 2147483647
	 */
	public static Duration timeout(Duration value) {
		if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.getNano() != 0
				|| value.getSeconds() > Integer.MAX_VALUE) {
			throw new InvalidJobException("timeout", value, "must be a whole number of seconds, 1 to 2147483647");
		}
		return value;
	}

	/**
	 * Checks a point in time.
	 * @param value a time in the years 0000 to 9999, the range of RFC 3339
	 */
	public static OffsetDateTime time(String field, OffsetDateTime value) {
		// The time is written in UTC as well, so both years count.
		boolean written = value.getYear() >= 0 && value.getYear() <= 9999;
		int year = written ? value.withOffsetSameInstant(ZoneOffset.UTC).getYear() : value.getYear();
		if (year < 0 || year > 9999) {
			throw new InvalidJobException(field, value, "must lie in the years 0000 to 9999");
		}
		if (value.getOffset().getTotalSeconds() % 60 != 0) {
			throw new InvalidJobException(field, value, "must have an offset of whole minutes");
		}
		return value;
	}

	/** Checks the fields that OJS Core does not name. */
	public static <V extends @Nullable Object> Map<String, V> extensions(Map<String, V> values) {
		values.forEach((field, value) -> {
			if (FIELDS.contains(field)) {
				throw new InvalidJobException(field, value,
						"is a field of the envelope and must not be set as an extension");
			}
		});
		return values;
	}

}
