package io.ojs.deadletter.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter that was found in a dead letter queue of the broker.
 *
 * @param queue the queue that it was dead-lettered from; counts for jobs that the store
 * does not know
 * @param encoded the job and its bytes, as received
 * @param attempt the attempt that the message announced, from 1
 * @param headers the headers beside the envelope; kept for adopted jobs
 * @param error the error; {@code null} without one, as when the broker moved the message
 * @param errorHash the hash of the place in the code; {@code null} if it is not known
 * @param reason why it is here, such as {@code rejected}, {@code expired},
 * {@code maxlen}, {@code delivery_limit}
 * @param store the id of the store that published the job; {@code null} if none did
 */
public record FoundDeadLetter(String queue, EncodedJob encoded, int attempt, Map<String, String> headers,
		@Nullable JobError error, @Nullable String errorHash, String reason, @Nullable String store) {

	/**
	 * The code of the error if the broker moved the message and no worker described one.
	 */
	public static final String DEAD_LETTERED = "DEAD_LETTERED";

	/** The key of the reason in the details of the error. */
	public static final String REASON = "reason";

	public FoundDeadLetter {
		headers = Map.copyOf(headers);
	}

	/**
	 * Returns how often the job had been replayed when this message was published: its
	 * {@code meta.ojs.replay_count}.
	 * @return 0 or more
	 */
	public int generation() {
		return ReplayMarks.count(this.encoded.job());
	}

	/**
	 * Returns the error for the history of the job.
	 * @return the error in the message, or else one with the reason
	 */
	public JobError errorAt(Instant now) {
		if (this.error != null) {
			return this.error;
		}
		boolean expired = "expired".equals(this.reason);
		return new JobError("dead_letter." + this.reason, expired ? JobError.JOB_EXPIRED : DEAD_LETTERED,
				"The broker moved the job to the dead letter queue: " + this.reason + ".", Math.max(1, this.attempt),
				Rfc3339.utc(now), List.of(), Map.of(REASON, this.reason));
	}

}
