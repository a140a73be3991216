package io.ojs.sample;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import io.ojs.sample.JobStatus.State;
import org.jspecify.annotations.Nullable;

/**
 * Collects events of jobs: the status of each job, and a log, both of limited size. Not
 * safe for use by many threads; {@link GalleryFeed} holds a lock.
 */
class JobBoard {

	static final int MAX_JOBS = 2000;

	static final int MAX_LOG = 150;

	private final Map<String, JobStatus> jobs = new LinkedHashMap<>();

	private final Deque<LogEntry> log = new ArrayDeque<>();

	private final Clock clock;

	JobBoard(Clock clock) {
		this.clock = clock;
	}

	/**
	 * Adds a job that was enqueued before this start.
	 * @param job the job, from the job store
	 */
	void restore(Job job) {
		this.jobs.putIfAbsent(job.id(), JobStatus.restored(job));
		forgetOldest();
	}

	/**
	 * Applies an event.
	 * @param event the event
	 * @return the new status of the job, and the new line of the log
	 */
	Change apply(JobEvent event) {
		JobStatus before = this.jobs.get(event.job().id());
		JobStatus after = next(before, event);
		this.jobs.put(after.id(), after);
		forgetOldest();
		return new Change(after, log(after, event));
	}

	private JobStatus next(@Nullable JobStatus before, JobEvent event) {
		// The worker's event of a job can arrive before that of the thread that enqueued
		// it, and the event of the next attempt before that of the thread that ended the
		// last one.
		if (before != null && attempt(event) < before.attempt()) {
			return before;
		}
		if (event instanceof JobEvent.Started started) {
			return JobStatus.of(started, State.RUNNING);
		}
		if (event instanceof JobEvent.Progressed progressed) {
			return JobStatus.of(progressed, State.RUNNING).at(progressed.progress(), progressed.message());
		}
		if (event instanceof JobEvent.Completed completed) {
			return JobStatus.of(completed, State.DONE).after(completed.duration());
		}
		if (event instanceof JobEvent.Retrying retrying) {
			return JobStatus.of(retrying, State.RETRYING)
				.failed(retrying.error())
				.until(this.clock.instant().plus(retrying.delay()));
		}
		if (event instanceof JobEvent.OfFailure ended) {
			return JobStatus.of(ended, (ended instanceof JobEvent.DeadLettered) ? State.DEAD : State.DISCARDED)
				.failed(ended.error());
		}
		return (before != null) ? before : JobStatus.queued(event.job());
	}

	private static int attempt(JobEvent event) {
		return (event instanceof JobEvent.OfAttempt ofAttempt) ? ofAttempt.attempt() : 0;
	}

	private void forgetOldest() {
		for (Iterator<JobStatus> oldest = this.jobs.values().iterator(); this.jobs.size() > MAX_JOBS;) {
			oldest.next();
			oldest.remove();
		}
	}

	private Optional<LogEntry> log(JobStatus status, JobEvent event) {
		if (event instanceof JobEvent.Progressed || event instanceof JobEvent.Failed
				|| event instanceof JobEvent.RetryExhausted) {
			// The next event tells what happens to the job, and has more details.
			return Optional.empty();
		}
		LogEntry entry = new LogEntry(this.clock.instant(), event.name(), status.id(), status.type(), status.photoId(),
				detail(status, event));
		this.log.addFirst(entry);
		if (this.log.size() > MAX_LOG) {
			this.log.removeLast();
		}
		return Optional.of(entry);
	}

	private static String detail(JobStatus status, JobEvent event) {
		String attempt = "attempt %d of %d".formatted(status.attempt(), status.maxAttempts());
		if (event instanceof JobEvent.Enqueued || event instanceof JobEvent.Scheduled) {
			return "queue " + status.queue();
		}
		if (event instanceof JobEvent.Completed completed) {
			return "%,d ms".formatted(completed.duration().toMillis());
		}
		if (event instanceof JobEvent.Retrying retrying) {
			return "%s failed, next in %.1f s".formatted(attempt, seconds(retrying.delay()));
		}
		return (event instanceof JobEvent.Started) ? attempt : attempt + " failed";
	}

	private static double seconds(Duration duration) {
		return duration.toMillis() / 1000.0;
	}

	/** The oldest first. */
	List<JobStatus> jobs() {
		return List.copyOf(this.jobs.values());
	}

	/** The newest first. */
	List<LogEntry> log() {
		return List.copyOf(this.log);
	}

	/**
	 * The changes by an event.
	 *
	 * @param job the new status of the job
	 * @param entry the new line of the log; empty if the event has none
	 */
	record Change(JobStatus job, Optional<LogEntry> entry) {
	}

}
