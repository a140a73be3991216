package io.ojs.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.EncodedJob;
import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter that was found outside the store, in a dead letter queue of the broker.
 *
 * @param queue the queue that it was dead-lettered from; it counts for jobs that the
 * store does not know
 * @param encoded the job and its bytes, as they came
 * @param attempt the attempt that the message announced, from 1
 * @param headers what travels beside the envelope; kept of adopted jobs
 * @param error what went wrong; {@code null} if nobody says, as when the broker moved it
 * @param reason why it is here, such as {@code rejected}, {@code expired},
 * {@code maxlen}, {@code delivery_limit}
 * @param store the id of the store that published the job; {@code null} if none did
 */
public record FoundDeadLetter(String queue, EncodedJob encoded, int attempt, Map<String, String> headers,
		@Nullable JobError error, String reason, @Nullable String store) {

	/** The code of an error that nobody described: the broker gave the job up. */
	public static final String DEAD_LETTERED = "DEAD_LETTERED";

	/** The field of an error's details that carries the reason. */
	public static final String REASON = "reason";

	public FoundDeadLetter {
		headers = Map.copyOf(headers);
	}

	/**
	 * How often the job had been replayed when this message was published: its
	 * {@code meta.ojs.replay_count}.
	 * @return 0 or more
	 */
	public int generation() {
		return ReplayMarks.count(this.encoded.job());
	}

	/**
	 * What goes into the history of the job.
	 * @param now when it was found
	 * @return the error that was found with it, or else one that tells the reason
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
