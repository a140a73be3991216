package io.ojs.internal.inspect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Says how a job has ended.
 */
final class EndReasons {

	private static final int MESSAGE = 200;

	private EndReasons() {
	}

	static List<Reason> of(JobSituation job, Instant now) {
		JobRow row = job.row();
		JobError error = last(job);
		List<Reason> reasons = new ArrayList<>();
		if (row.state == JobState.DISCARDED && error != null && error.code().equals(JobError.JOB_EXPIRED)) {
			reasons.add(
					new Reason("expired",
							(row.expiresAt != null) ? "Expired at %s and was not started before."
								.formatted(Words.time(row.expiresAt, now)) : "Expired and was not started before.",
							row.expiresAt, null, Words.facts("expires_at", row.expiresAt)));
		}
		reasons.add(new Reason("ended", sentence(row, error, now), row.endedAt, row.pruneAt,
				Words.facts("state", row.state.wireName(), "attempt", row.attempt, "error", told(error),
						"dead_letter_queue", row.deadLetterQueue, "kept_until", row.pruneAt)));
		return reasons;
	}

	private static String sentence(JobRow row, @Nullable JobError error, Instant now) {
		String at = (row.endedAt != null) ? " at " + Words.time(row.endedAt, now) : "";
		String failed = (error != null) ? ": " + brief(error) : "";
		return switch (row.state) {
			case COMPLETED -> "Completed%s, in attempt %d.".formatted(at, row.attempt);
			case CANCELLED -> "Was cancelled%s.".formatted(at);
			case HANDED_OVER -> "RabbitMQ has it%s, and programs that do not use the job store work it."
				.formatted((row.endedAt != null) ? " since " + Words.time(row.endedAt, now) : "");
			default -> (row.deadLetteredAt != null)
					? "Failed for good%s%s. It is a dead letter and runs again if it is replayed.".formatted(at, failed)
					: "Was discarded%s%s.".formatted(at, failed);
		};
	}

	/** Says that the time of a job that waits is over. */
	static Reason expires(JobRow row, Instant now) {
		Instant at = Objects.requireNonNull(row.expiresAt);
		return new Reason("expired",
				"Expired at %s; it becomes a dead letter as soon as a process notices.".formatted(Words.time(at, now)),
				at, null, Words.facts("expires_at", at));
	}

	static @Nullable JobError last(JobSituation job) {
		return job.errors().isEmpty() ? null : job.errors().get(job.errors().size() - 1);
	}

	/**
	 * Returns the type and the beginning of the message, in one line without a period.
	 */
	static String brief(JobError error) {
		String message = ForeignText.escape(error.message(), MESSAGE);
		String text = message.isEmpty() ? error.type() : error.type() + ": " + message;
		return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
	}

	static @Nullable Map<String, @Nullable Object> told(@Nullable JobError error) {
		return (error == null) ? null : Words.facts("type", error.type(), "code", error.code(), "message",
				ForeignText.beginning(error.message(), MESSAGE), "attempt", error.attempt());
	}

}
