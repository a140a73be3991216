package io.ojs.internal.worker;

import java.time.Clock;
import java.util.List;
import java.util.Map;

import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.fetch.FetchStore;
import io.ojs.internal.fetch.LeasedRun;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.FailureResponse;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.attempt.AttemptStore;
import org.slf4j.Logger;

/**
 * Ends runs of fetched jobs whose timeout is over. The store cannot interrupt their
 * workers, so it takes the jobs from them.
 */
public final class RunTimeouts {

	private static final Logger logger = SafeLogger.of(RunTimeouts.class);

	private static final int BATCH = 100;

	private final FetchStore fetches;

	private final FailedRuns failed;

	private final Clock clock;

	public RunTimeouts(FetchStore fetches, AttemptStore attempts, RunTerms terms, JobEvents events, Clock clock) {
		this.fetches = fetches;
		this.failed = new FailedRuns(attempts, terms, events, clock);
		this.clock = clock;
	}

	/**
	 * Ends all runs whose timeout is over.
	 * @return the number of runs that were ended here
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	public int check() {
		int ended = 0;
		List<LeasedRun> runs;
		int before;
		do {
			before = ended;
			runs = this.fetches.timedOut(this.clock.instant(), BATCH);
			for (LeasedRun run : runs) {
				ended += end(run) ? 1 : 0;
			}
		}
		while (runs.size() == BATCH && ended > before);
		return ended;
	}

	private boolean end(LeasedRun run) {
		Job job = run.job().job();
		JobError error = new JobError("timeout", JobError.HANDLER_TIMEOUT,
				"The worker '%s' was not done before the time of the job was over.".formatted(run.worker()),
				job.attempt(), Rfc3339.utc(this.clock.instant()), List.of(), Map.of());
		try {
			// A transaction that has locked this run must not delay the others; the next
			// check ends it.
			boolean ended = this.failed.failIfFree(run, JobFailure.recorded(error, FailureResponse.RETRY)).isPresent();
			if (ended) {
				logger.info("Attempt {} of job {} ({}) took too long and is over", job.attempt(), job.id(), job.type());
			}
			return ended;
		}
		catch (StoreUnavailableException ex) {
			throw ex;
		}
		catch (StoreException ex) {
			// The other runs must not wait for this one.
			logger.error("Attempt {} of job {} took too long, and the job store refuses to record its failure",
					job.attempt(), job.id(), ex);
			return false;
		}
	}

}
