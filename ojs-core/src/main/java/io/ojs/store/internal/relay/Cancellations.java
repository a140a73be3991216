package io.ojs.store.internal.relay;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.client.internal.JobControl;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the worker of an active job that the job was cancelled in the store. Uses its own
 * thread, so that the caller that cancels does not wait for the broker. Some
 * notifications may be dropped; the workers of those jobs learn of the cancellation when
 * they extend their leases, at the latest.
 */
public final class Cancellations implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Cancellations.class);

	/** The largest number of waiting notifications; further ones are dropped. */
	private static final int CAPACITY = 1000;

	private static final long IDLE_SECONDS = 10;

	private final JobControl workers;

	private final Executor executor;

	private final @Nullable ExecutorService own;

	public Cancellations(JobControl workers) {
		this.workers = workers;
		this.own = new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> Threads.daemon(task, "ojs-interrupt"), new ThreadPoolExecutor.DiscardPolicy());
		this.executor = this.own;
	}

	/** For tests: uses a given executor. */
	Cancellations(JobControl workers, Executor executor) {
		this.workers = workers;
		this.own = null;
		this.executor = executor;
	}

	/**
	 * Notifies the worker of a job, if the job was active. To be called after the commit;
	 * does not wait.
	 * @param before the job as it was before it was cancelled
	 */
	void tell(StoredJob before) {
		if (before.job().state() == JobState.ACTIVE) {
			interrupt(before.job());
		}
	}

	/** The run has lost its lease already; its worker reports the end of the run. */
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

	/**
	 * Drops the notifications that still wait; the workers learn of them by their leases.
	 */
	@Override
	public void close() {
		if (this.own != null) {
			this.own.shutdownNow();
		}
	}

}
