package io.ojs.deadletter;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What dead letters there are (OJS Dead Letter §10.1).
 *
 * @param total how many
 * @param byQueue how many of each queue
 * @param byType how many of each type of job
 * @param byErrorType how many of each type of error, the last of each job;
 * {@link #UNKNOWN} for those without
 * @param oldestAt since when the oldest is one; {@code null} if there is none
 * @param newestAt since when the newest is one; {@code null} if there is none
 */
public record DeadLetterStats(long total, Map<String, Long> byQueue, Map<String, Long> byType,
		Map<String, Long> byErrorType, @Nullable Instant oldestAt, @Nullable Instant newestAt) {

	/** Stands for the type of an error that nobody knows. */
	public static final String UNKNOWN = "Unknown";

	public DeadLetterStats {
		byQueue = Map.copyOf(byQueue);
		byType = Map.copyOf(byType);
		byErrorType = Map.copyOf(byErrorType);
	}

}
