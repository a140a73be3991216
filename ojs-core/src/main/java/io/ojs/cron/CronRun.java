package io.ojs.cron;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What became of one firing of a cron.
 *
 * @param cron the name of the cron
 * @param scheduledAt the time that it was fired for; one cron has one run for each
 * @param firedAt when that was done, later after a downtime
 * @param outcome what became of it
 * @param jobId the job that was enqueued; of a skipped run, the job in whose favour it
 * was skipped, if there is one
 * @param reason why it was skipped: a word, such as {@code overlap_skip}
 * @param detail why it was skipped, for people
 */
public record CronRun(String cron, Instant scheduledAt, Instant firedAt, Outcome outcome, @Nullable String jobId,
		@Nullable String reason, @Nullable String detail) {

	/** The reason of a run that was skipped since an earlier job has not ended. */
	public static final String OVERLAP_SKIP = "overlap_skip";

	/**
	 * What can become of a run.
	 */
	public enum Outcome {

		/** A job was enqueued. */
		TRIGGERED,

		/** A job was kept and waits until those before it have ended. */
		WAITING,

		/** No job was enqueued. */
		SKIPPED;

		/**
		 * The outcome with this name in the store.
		 * @param value the lower-case name
		 * @return the outcome
		 */
		public static Outcome fromWire(String value) {
			return valueOf(value.toUpperCase(Locale.ROOT));
		}

		/**
		 * The name of this outcome in JSON.
		 * @return the lower-case name
		 */
		public String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
