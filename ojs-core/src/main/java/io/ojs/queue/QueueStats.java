package io.ojs.queue;

/**
 * The numbers of jobs of a queue (OJS Queue Configuration §9.3).
 *
 * @param depth jobs that have not ended, in any state
 * @param available jobs that are available
 * @param active jobs that run
 * @param retryable jobs that wait for their next attempt
 * @param scheduled jobs that wait for their time
 * @param pending jobs that wait to be activated
 * @param completedToday jobs completed since midnight, UTC, without those of the last
 * minute
 * @param failedToday jobs that failed for good since midnight, UTC, without those of the
 * last minute
 */
public record QueueStats(long depth, long available, long active, long retryable, long scheduled, long pending,
		long completedToday, long failedToday) {
}
