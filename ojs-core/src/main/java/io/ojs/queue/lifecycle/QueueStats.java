package io.ojs.queue.lifecycle;

/**
 * How many jobs a queue has (OJS Queue Configuration §9.3).
 *
 * @param depth jobs that have not ended, whatever their state
 * @param available jobs that could be begun
 * @param active jobs that run
 * @param retryable jobs that wait for their next attempt
 * @param scheduled jobs that wait for their time
 * @param pending jobs that wait to be activated
 * @param completedToday jobs that succeeded since midnight, UTC
 * @param failedToday jobs that failed for good since midnight, UTC
 */
public record QueueStats(long depth, long available, long active, long retryable, long scheduled, long pending,
		long completedToday, long failedToday) {
}
