package io.ojs.store;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.internal.json.JobJson;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * A job as the store has it.
 *
 * @param job the job with its state, attempt, errors, result and times as they are now
 * @param maxAttempts the largest number of attempts, at least 1
 * @param headers the headers beside the envelope, such as a trace context
 * @param dueAt when the job is to run, if it is scheduled or retryable
 * @param deadLetteredAt since when the job is a dead letter, if it is one
 * @param deadLetterQueue the dead letter queue that the job belongs to, if it is a dead
 * letter
 * @param replays how often an operator has replayed it
 * @param worker the process or HTTP worker that runs it; {@code null} if it does not run
 */
public record StoredJob(Job job, int maxAttempts, Map<String, String> headers, @Nullable Instant dueAt,
		@Nullable Instant deadLetteredAt, @Nullable String deadLetterQueue, int replays, @Nullable String worker) {

	public StoredJob {
		headers = Map.copyOf(headers);
	}

	/**
	 * Creates a job that does not run.
	 * @param job the job with its state, attempt, errors, result and times as they are
	 * now
	 * @param maxAttempts the largest number of attempts, at least 1
	 * @param headers the headers beside the envelope, such as a trace context
	 * @param dueAt when the job is to run, if it is scheduled or retryable
	 * @param deadLetteredAt since when the job is a dead letter, if it is one
	 * @param deadLetterQueue the dead letter queue that the job belongs to, if it is a
	 * dead letter
	 * @param replays how often an operator has replayed it
	 */
	public StoredJob(Job job, int maxAttempts, Map<String, String> headers, @Nullable Instant dueAt,
			@Nullable Instant deadLetteredAt, @Nullable String deadLetterQueue, int replays) {
		this(job, maxAttempts, headers, dueAt, deadLetteredAt, deadLetterQueue, replays, null);
	}

	/**
	 * Returns the job as callers see it. Values that its envelope does not have are
	 * extensions: {@code max_attempts} and, where they apply, {@code next_retry_at},
	 * {@code handed_over_at}, {@code dead_lettered_at} and {@code dead_letter_queue}.
	 * @return the job
	 */
	public Job described() {
		Map<String, @Nullable Object> more = new LinkedHashMap<>(this.job.extensions());
		more.put("max_attempts", this.maxAttempts);
		if (this.job.state() == JobState.HANDED_OVER && this.job.completedAt() != null) {
			more.put("handed_over_at", Rfc3339.format(this.job.completedAt()));
			return this.job.toBuilder().completedAt(null).extensions(more).build();
		}
		if (this.dueAt != null && this.job.state() == JobState.RETRYABLE) {
			more.put("next_retry_at", Rfc3339.format(this.dueAt));
		}
		if (this.deadLetteredAt != null) {
			more.put("dead_lettered_at", Rfc3339.format(this.deadLetteredAt));
			more.put("dead_letter_queue", this.deadLetterQueue);
		}
		return this.job.toBuilder().extensions(more).build();
	}

	/**
	 * Returns the job as a JSON object, with the values that the store adds.
	 * @return values of JSON's own types
	 * @see JobJson
	 */
	public Map<String, @Nullable Object> json() {
		Map<String, @Nullable Object> object = JobJson.of(this.job, this.maxAttempts);
		if (this.dueAt != null && this.job.state() == JobState.RETRYABLE) {
			String due = Rfc3339.format(this.dueAt);
			object.put("next_attempt_at", due);
			object.put("next_retry_at", due);
		}
		if (this.deadLetteredAt != null) {
			object.put("dead_lettered_at", Rfc3339.format(this.deadLetteredAt));
			object.put("dead_letter_queue", this.deadLetterQueue);
		}
		return object;
	}

}
