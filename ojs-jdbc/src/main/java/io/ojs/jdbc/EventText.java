package io.ojs.jdbc;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * What events tell, in the form in which they do.
 */
final class EventText {

	private static final int MAX_WORKER = 128;

	private EventText() {
	}

	/** A time as it is told. */
	static @Nullable String time(@Nullable Instant instant) {
		return (instant != null) ? Rfc3339.format(Times.utc(instant)) : null;
	}

	/** Names, each with its value behind it. */
	static Map<String, @Nullable Object> mapOf(@Nullable Object... pairs) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) {
			map.put((String) pairs[i], pairs[i + 1]);
		}
		return map;
	}

	/** An error without what is only of use to whoever mends it. */
	static Map<String, @Nullable Object> brief(JobError error) {
		return mapOf("type", error.type(), "code", error.code(), "message", error.message());
	}

	/** The name of a worker as it is kept. */
	static String worker(String name) {
		return clip(name, MAX_WORKER);
	}

	/** What people read may be cut, and must be text that a database takes. */
	static String clip(String text, int length) {
		String clean = text.replace('\0', ' ');
		if (clean.length() <= length) {
			return clean;
		}
		return clean.substring(0, Character.isHighSurrogate(clean.charAt(length - 1)) ? length - 1 : length);
	}

}
