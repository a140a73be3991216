package io.ojs.store;

import java.time.Instant;
import java.util.Map;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job as the store knows it.
 *
 * @param job the job with its state, attempt, errors, result and times as they are now
 * @param maxAttempts how often it may be executed in all, at least 1
 * @param headers what travels beside the envelope, such as the context of a trace
 * @param dueAt when it is to be run, if it waits for a time: scheduled or retryable
 * @param deadLetteredAt since when it is a dead letter, if it is one
 * @param deadLetterQueue the queue among whose dead letters it is, if it is one
 * @param replays how often an operator has replayed it
 */
public record StoredJob(Job job, int maxAttempts, Map<String, String> headers, @Nullable Instant dueAt,
		@Nullable Instant deadLetteredAt, @Nullable String deadLetterQueue, int replays) {

	public StoredJob {
		headers = Map.copyOf(headers);
	}

}
