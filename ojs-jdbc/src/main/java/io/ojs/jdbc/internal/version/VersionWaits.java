package io.ojs.jdbc.internal.version;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.ojs.internal.engine.Decision;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Times;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.version.HandlerProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Holds back jobs whose version the worker cannot run, and decides when they are
 * published again.
 */
final class VersionWaits implements StartGate {

	/**
	 * The shortest pause if some process can run the job: it may get the message next.
	 */
	private static final Duration SOON = Duration.ofMillis(100);

	/**
	 * The longest pause in that case. The message delays no other, but each one costs
	 * something.
	 */
	private static final Duration LATE = HandlerStore.TRUSTED;

	/**
	 * The shortest pause if no process can run the job. A process that can announces
	 * itself, so this is only a precaution.
	 */
	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration LONGEST = Duration.ofHours(1);

	private final StoreDatabase database;

	private final Instant now;

	/** Processes with handlers; read when they are asked for the first time. */
	private @Nullable List<HandlerProcess> processes;

	VersionWaits(StoreDatabase database, Instant now) {
		this.database = database;
		this.now = Times.micros(now);
	}

	@Override
	public @Nullable Decision refuse(JobRow row, Job job, HandledJobs handled, Transitions transitions) {
		return handled.contain(row.type, row.version()) ? null
				: new Decision.WaitForWorker(waitForWorker(row, transitions));
	}

	/**
	 * Makes a job wait for a worker of its version.
	 * @return until when
	 */
	private Instant waitForWorker(JobRow row, Transitions transitions) {
		Instant since = (row.workerWaitSince != null) ? row.workerWaitSince : this.now;
		Duration waited = Duration.between(since, this.now);
		Duration pause = isHandled(row) ? between(SOON, waited.dividedBy(4), LATE) : between(LONG, waited, LONGEST);
		Instant until = Times.micros(this.now.plus(pause));
		transitions.waitForWorker(row, since, until);
		return until;
	}

	private static Duration between(Duration least, Duration value, Duration most) {
		if (value.compareTo(least) < 0) {
			return least;
		}
		return (value.compareTo(most) > 0) ? most : value;
	}

	private boolean isHandled(JobRow row) {
		List<HandlerProcess> known = this.processes;
		if (known == null) {
			known = new HandlerProcesses(this.database).trusted(this.now);
			this.processes = known;
		}
		JobVersion version = row.version();
		return known.stream()
			.anyMatch(
					(process) -> process.queues().contains(row.queue) && process.handled().contain(row.type, version));
	}

}
