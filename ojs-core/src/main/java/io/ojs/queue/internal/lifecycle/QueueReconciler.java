package io.ojs.queue.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Refreshes the {@link QueueRegistry} of this process at an interval, and deletes queues
 * that are drained.
 */
public final class QueueReconciler {

	/** The default interval. */
	public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(QueueReconciler.class);

	private final QueueRegistry registry;

	private final StoreQueues queues;

	private final ScheduledExecutorService scheduler;

	private final Duration interval;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private @Nullable ScheduledFuture<?> schedule;

	/** Whether the last refresh failed, so that failures are logged once. */
	private boolean failing;

	/**
	 * Creates a reconciler that is not started.
	 * @param scheduler runs the refresh; not shut down by this class
	 */
	public QueueReconciler(QueueRegistry registry, StoreQueues queues, ScheduledExecutorService scheduler,
			Duration interval) {
		this.registry = registry;
		this.queues = queues;
		this.scheduler = scheduler;
		this.interval = interval;
	}

	/**
	 * Starts the reconciler. The first refresh runs on the caller's thread, so that
	 * workers that start next know which queues are paused. If it fails, the next one
	 * follows after the interval.
	 */
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.schedule == null) {
				refresh();
				this.schedule = this.scheduler.scheduleWithFixedDelay(this::refresh, this.interval.toMillis(),
						this.interval.toMillis(), TimeUnit.MILLISECONDS);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Stops the reconciler.
	 */
	public void stop() {
		this.lifecycle.lock();
		try {
			if (this.schedule != null) {
				this.schedule.cancel(false);
				this.schedule = null;
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Whether the reconciler runs.
	 * @return whether it was started, and not stopped
	 */
	public boolean isRunning() {
		this.lifecycle.lock();
		try {
			return this.schedule != null;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void refresh() {
		try {
			this.registry.refresh();
			this.queues.deleteDrained();
			if (this.failing) {
				logger.info("Queues can be read from the job store again");
			}
			this.failing = false;
		}
		catch (Throwable ex) {
			// An exception would end the schedule.
			if (!this.failing) {
				logger.warn(
						"Queues cannot be read from the job store; their last known state and configuration stay in use",
						ex);
			}
			this.failing = true;
		}
	}

}
