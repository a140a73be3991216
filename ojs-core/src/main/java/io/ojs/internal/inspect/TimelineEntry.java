package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a job.
 *
 * @param at when
 * @param kind what
 * @param attempt in which attempt, from 1; {@code null} if it belongs to none
 * @param more further values by their names in JSON
 */
public record TimelineEntry(Instant at, Kind kind, @Nullable Integer attempt, Map<String, @Nullable Object> more) {

	/**
	 * What happened.
	 */
	public enum Kind {

		CREATED, SCHEDULED, AVAILABLE, PUBLISHED, STARTED, COMPLETED, FAILED, RETRY_SCHEDULED, LEASE_LOST, CANCELLED,
		DISCARDED, DEAD_LETTERED, REPLAYED, DELETED, HANDED_OVER;

		/** Returns the name in JSON. */
		public String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
