package io.ojs.queue.lifecycle;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps what this process knows of queues up to date, and deletes those that are drained.
 */
public final class QueueReconciler {

	/** How old what is known may be. */
	public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(QueueReconciler.class);

	private final QueueRegistry registry;

	private final Queues queues;

	private final ScheduledExecutorService scheduler;

	private final Duration interval;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private @Nullable ScheduledFuture<?> schedule;

	/** Whether the last time failed, so that it is said once. */
	private boolean failing;

	/**
	 * Creates a reconciler that does nothing yet.
	 * @param registry what is kept up to date
	 * @param queues deletes what is drained
	 * @param scheduler runs it; not shut down by this
	 * @param interval the time from the end of one time to the next
	 */
	public QueueReconciler(QueueRegistry registry, Queues queues, ScheduledExecutorService scheduler,
			Duration interval) {
		this.registry = registry;
		this.queues = queues;
		this.scheduler = scheduler;
		this.interval = interval;
	}

	/**
	 * Begins: once at once, on the caller's thread, so that workers that start next know
	 * which queues are paused. If the store cannot be asked, it is tried again.
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
	 * Ends.
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
	 * Whether it goes on.
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
				logger.info("The store can be asked about queues again");
			}
			this.failing = false;
		}
		catch (Throwable ex) {
			// An exception would end the schedule.
			if (!this.failing) {
				logger.warn("The store cannot be asked about queues; what was known last goes on", ex);
			}
			this.failing = true;
		}
	}

}
