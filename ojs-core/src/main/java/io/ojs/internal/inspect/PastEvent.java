package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An event of a job, from the feed.
 *
 * @param type the type, such as {@code job.started}
 * @param at when it happened
 * @param data its data; JSON values
 */
public record PastEvent(String type, Instant at, Map<String, @Nullable Object> data) {

	@Nullable String text(String name) {
		return (this.data.get(name) instanceof String text) ? text : null;
	}

	@Nullable Long number(String name) {
		return (this.data.get(name) instanceof Number number) ? (Long) number.longValue() : null;
	}

	@SuppressWarnings("unchecked")
	@Nullable Map<String, @Nullable Object> object(String name) {
		return (this.data.get(name) instanceof Map<?, ?> object) ? (Map<String, @Nullable Object>) object : null;
	}

}
