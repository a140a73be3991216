package io.ojs.deadletter;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of dead letters (OJS Dead Letter §10.1).
 *
 * @param total the number of all
 * @param byQueue the number of each queue
 * @param byType the number of each job type
 * @param byErrorType the number of each type of the last error; {@link #UNKNOWN} for jobs
 * without one
 * @param oldestAt when the oldest one became a dead letter; {@code null} if there is none
 * @param newestAt when the newest one became a dead letter; {@code null} if there is none
 */
public record DeadLetterStats(long total, Map<String, Long> byQueue, Map<String, Long> byType,
		Map<String, Long> byErrorType, @Nullable Instant oldestAt, @Nullable Instant newestAt) {

	/** The error type of jobs without an error. */
	public static final String UNKNOWN = "Unknown";

	public DeadLetterStats {
		byQueue = Map.copyOf(byQueue);
		byType = Map.copyOf(byType);
		byErrorType = Map.copyOf(byErrorType);
	}

}
