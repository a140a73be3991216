package io.ojs.store.relay;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.client.JobControl;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.log.SafeLogger;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the worker of a job that runs, and was cancelled in the store, on a thread of its
 * own: a caller who cancels a job does not wait for the broker. It may let go of some
 * jobs; their workers hear of it when they extend their leases, at the latest.
 */
public final class Cancellations implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Cancellations.class);

	/** What waits beyond that is left to the leases. */
	private static final int CAPACITY = 1000;

	private static final long IDLE_SECONDS = 10;

	private final JobControl workers;

	private final Executor executor;

	private final @Nullable ExecutorService own;

	/**
	 * Creates it.
	 * @param workers reaches those that run jobs
	 */
	public Cancellations(JobControl workers) {
		this.workers = workers;
		this.own = new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> {
					Thread thread = new Thread(task, "ojs-interrupt");
					thread.setDaemon(true);
					return thread;
				}, new ThreadPoolExecutor.DiscardPolicy());
		this.executor = this.own;
	}

	/** For tests: asked on whatever thread they like. */
	Cancellations(JobControl workers, Executor executor) {
		this.workers = workers;
		this.own = null;
		this.executor = executor;
	}

	/**
	 * Tells of a job. To be called after the commit; waits for nobody.
	 * @param before the job as it was before it was cancelled
	 */
	void tell(StoredJob before) {
		if (before.job().state() == JobState.ACTIVE) {
			interrupt(before.job());
		}
	}

	/** The lease is gone already; its worker tells what became of the run. */
	private void interrupt(Job job) {
		this.executor.execute(() -> {
			try {
				this.workers.cancel(job.queue(), job.id());
			}
			catch (RuntimeException ex) {
				logger.debug("The worker of job {} hears of its end when it extends its lease", job.id(), ex);
			}
		});
	}

	/** What was not told is left to the leases. */
	@Override
	public void close() {
		if (this.own != null) {
			this.own.shutdownNow();
		}
	}

}
