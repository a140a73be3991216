package io.ojs.cron;

import java.time.Instant;
import java.util.Locale;

import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cron.
 *
 * @param cron the name of the cron
 * @param scheduledAt the time that it was fired for; a cron has one run for each time
 * @param firedAt when it was fired, which is later after a downtime
 * @param outcome the outcome
 * @param jobId the job that was enqueued; for a skipped run, the existing job that was
 * the reason, if there is one
 * @param reason why it was skipped: a word, such as {@code overlap_skip}
 * @param detail why it was skipped, for people
 * @param triggeredBy the caller or the application that triggered it, when the run was
 * listed; {@code null} for the schedule
 * @param jobState the state of the job when the run was listed; {@code null} without a
 * job, and when the job store does not have the job any longer
 * @param jobStartedAt when the last attempt of the job started, as far as it has
 * @param jobEndedAt when the job ended, as far as it has
 */
public record CronRun(String cron, Instant scheduledAt, Instant firedAt, Outcome outcome, @Nullable String jobId,
		@Nullable String reason, @Nullable String detail, @Nullable String triggeredBy, @Nullable JobState jobState,
		@Nullable Instant jobStartedAt, @Nullable Instant jobEndedAt) {

	/** The reason of a run that was skipped because an earlier job has not ended. */
	public static final String OVERLAP_SKIP = "overlap_skip";

	/**
	 * Creates a run, without what the store knows of it.
	 * @param cron the name of the cron
	 * @param scheduledAt the time that it was fired for
	 * @param firedAt when it was fired
	 * @param outcome the outcome
	 * @param jobId the job that was enqueued; for a skipped run, the existing job that
	 * was the reason, if there is one
	 * @param reason why it was skipped: a word, such as {@code overlap_skip}
	 * @param detail why it was skipped, for people
	 */
	public CronRun(String cron, Instant scheduledAt, Instant firedAt, Outcome outcome, @Nullable String jobId,
			@Nullable String reason, @Nullable String detail) {
		this(cron, scheduledAt, firedAt, outcome, jobId, reason, detail, null, null, null, null);
	}

	/**
	 * The outcome of a run.
	 */
	public enum Outcome {

		/** A job was enqueued. */
		TRIGGERED,

		/** A job was kept; it waits until earlier jobs have ended. */
		WAITING,

		/** No job was enqueued. */
		SKIPPED;

		/**
		 * Returns the outcome with a name in the store.
		 * @param value the lower-case name
		 * @return the outcome
		 */
		public static Outcome fromWire(String value) {
			return valueOf(value.toUpperCase(Locale.ROOT));
		}

		/**
		 * Returns the name of this outcome in JSON.
		 * @return the lower-case name
		 */
		public String wireName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
