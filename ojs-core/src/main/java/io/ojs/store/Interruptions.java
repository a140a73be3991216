package io.ojs.store;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.client.JobControl;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has workers interrupt jobs that were cancelled while they run, on a thread of its own,
 * so that whoever enqueues waits for no broker. It may let go of any: their workers hear
 * of it when they extend their leases, at the latest.
 */
public final class Interruptions implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Interruptions.class);

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
	public Interruptions(JobControl workers) {
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
	Interruptions(JobControl workers, Executor executor) {
		this.workers = workers;
		this.own = null;
		this.executor = executor;
	}

	/**
	 * Has the worker that runs a job interrupt it. Waits for nobody.
	 * @param job the job, which is cancelled already
	 */
	void interrupt(Job job) {
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
