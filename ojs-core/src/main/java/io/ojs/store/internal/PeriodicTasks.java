package io.ojs.store.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.retry.internal.Backoff;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs the tasks of the job store from start to close. Each has its own thread, so a task
 * that takes long, or waits for a broker that does not answer, delays no other. A task
 * that fails is tried again, with growing pauses.
 */
public final class PeriodicTasks implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(PeriodicTasks.class);

	private final List<PeriodicTask> tasks;

	private volatile @Nullable ScheduledExecutorService scheduler;

	public PeriodicTasks(List<PeriodicTask> tasks) {
		this.tasks = List.copyOf(tasks);
	}

	/**
	 * Starts the tasks.
	 */
	public void start() {
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(Math.max(1, this.tasks.size()),
				(task) -> Threads.daemon(task, "ojs-store"));
		started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.scheduler = started;
		this.tasks
			.forEach((task) -> schedule(started, task, new Outage(task.what()), Backoff.jittered(task.interval())));
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
			// Errors too: otherwise the task would never run again.
			Duration pause = outage.pause(ex);
			return (pause.compareTo(task.interval()) > 0) ? pause : task.interval();
		}
	}

	/** Stops the tasks, and waits up to five seconds for those that are running. */
	@Override
	public void close() {
		ScheduledExecutorService running = this.scheduler;
		if (running == null) {
			return;
		}
		// Without an interrupt, which can make a driver close its connection.
		running.shutdown();
		try {
			running.awaitTermination(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
