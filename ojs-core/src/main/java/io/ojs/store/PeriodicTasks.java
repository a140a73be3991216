package io.ojs.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Does the tasks of the job store for as long as it runs, each on a thread of its own:
 * one that takes long, or waits for a broker that does not answer, holds up no other. A
 * task that fails is tried again, with pauses that grow.
 */
public final class PeriodicTasks implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(PeriodicTasks.class);

	private final List<PeriodicTask> tasks;

	private volatile @Nullable ScheduledExecutorService scheduler;

	/**
	 * Creates it.
	 * @param tasks what to do
	 */
	public PeriodicTasks(List<PeriodicTask> tasks) {
		this.tasks = List.copyOf(tasks);
	}

	/**
	 * Begins.
	 */
	public void start() {
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(Math.max(1, this.tasks.size()),
				(task) -> {
					Thread thread = new Thread(task, "ojs-store");
					thread.setDaemon(true);
					return thread;
				});
		started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.scheduler = started;
		this.tasks
			.forEach((task) -> schedule(started, task, new Outage(task.what()), Poller.jittered(task.interval())));
	}

	private void schedule(ScheduledExecutorService on, PeriodicTask task, Outage outage, Duration pause) {
		try {
			on.schedule(() -> schedule(on, task, outage, run(task, outage)), pause.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.trace("No more of it: {}", task.what(), ex);
		}
	}

	private static Duration run(PeriodicTask task, Outage outage) {
		try {
			Duration pause = task.action().get();
			outage.over();
			return pause;
		}
		catch (Throwable ex) {
			// Errors too: it would never be done again.
			Duration pause = outage.pause(ex);
			return (pause.compareTo(task.interval()) > 0) ? pause : task.interval();
		}
	}

	/** Ends after what is being done. */
	@Override
	public void close() {
		ScheduledExecutorService running = this.scheduler;
		if (running == null) {
			return;
		}
		// Without an interrupt, which can cost a driver its connection.
		running.shutdown();
		try {
			running.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
