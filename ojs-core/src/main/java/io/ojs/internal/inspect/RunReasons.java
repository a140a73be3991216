package io.ojs.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.ojs.internal.engine.JobRow;
import org.jspecify.annotations.Nullable;

/**
 * Says that a job runs, and whether its process still does.
 */
final class RunReasons {

	private RunReasons() {
	}

	static List<Reason> of(JobSituation job, boolean operator, Instant now) {
		JobRow row = job.row();
		Instant since = (row.startedAt != null) ? row.startedAt : row.enqueuedAt;
		String worker = operator ? row.worker : null;
		Reason running = new Reason("running",
				"Runs since %s%s, attempt %d of %d.".formatted(Words.time(since, now),
						(worker != null) ? " on worker '%s'".formatted(worker) : "", row.attempt, row.maxAttempts),
				since, row.timeoutAt, Words.facts("attempt", row.attempt, "max_attempts", row.maxAttempts, "worker",
						worker, "lease_until", job.leaseEnd(), "timeout_at", row.timeoutAt));
		return isRunningOut(job, now) ? List.of(runsOut(job, worker, now), running) : List.of(running);
	}

	/**
	 * Whether signs of life are missing: a process sends six while a lease lasts, a
	 * worker over HTTP about three.
	 */
	private static boolean isRunningOut(JobSituation job, Instant now) {
		JobRow row = job.row();
		Instant end = job.leaseEnd();
		if (end == null || row.startedAt == null || row.leaseUntil == null) {
			return false;
		}
		Duration length = (row.leaseMillis != null) ? Duration.ofMillis(row.leaseMillis)
				: Duration.between(row.startedAt, row.leaseUntil);
		return Duration.between(now, end).compareTo(length.dividedBy((row.leaseMillis != null) ? 4 : 2)) < 0;
	}

	private static Reason runsOut(JobSituation job, @Nullable String worker, Instant now) {
		JobRow row = job.row();
		Instant end = Objects.requireNonNull(job.leaseEnd());
		String name = ((row.leaseMillis != null) ? "worker" : "process")
				+ ((worker != null) ? " '" + worker + "'" : "");
		String sentence = end.isAfter(now)
				? "No sign of life of its %s has extended its lease, which ends at %s; then the job runs again."
					.formatted(name, Words.time(end, now))
				: "The lease of its %s ended at %s; the job runs again as soon as a process notices.".formatted(name,
						Words.time(end, now));
		return new Reason("lease_running_out", sentence, null, end, Words.facts("worker", worker, "lease_until", end));
	}

}
