package io.ojs.store;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.client.JobControl;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells who has to know of a job that was cancelled in the store: listeners if it waited,
 * its worker if it runs. Workers are told on a thread of its own, so that nobody who
 * cancels a job waits for the broker. It may let go of any: they hear of it when they
 * extend their leases, at the latest.
 */
public final class Cancellations implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Cancellations.class);

	/** What waits beyond that is left to the leases. */
	private static final int CAPACITY = 1000;

	private static final long IDLE_SECONDS = 10;

	private final JobControl workers;

	private final JobEvents events;

	private final Executor executor;

	private final @Nullable ExecutorService own;

	/**
	 * Creates it.
	 * @param workers reaches those that run jobs
	 * @param events is told of jobs that waited
	 */
	public Cancellations(JobControl workers, JobEvents events) {
		this.workers = workers;
		this.events = events;
		this.own = new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> {
					Thread thread = new Thread(task, "ojs-interrupt");
					thread.setDaemon(true);
					return thread;
				}, new ThreadPoolExecutor.DiscardPolicy());
		this.executor = this.own;
	}

	/** For tests: asked on whatever thread they like. */
	Cancellations(JobControl workers, JobEvents events, Executor executor) {
		this.workers = workers;
		this.events = events;
		this.own = null;
		this.executor = executor;
	}

	/**
	 * Tells of a job. To be called after the commit; waits for nobody.
	 * @param before the job as it was before it was cancelled
	 */
	void tell(StoredJob before) {
		Job job = before.job();
		if (job.state() == JobState.ACTIVE) {
			interrupt(job);
		}
		else {
			this.events.publish(new JobEvent.Cancelled(job, job.attempt() + 1, before.maxAttempts()));
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
