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
 * Does the chores of the job store for as long as it runs, each on a thread of its own:
 * one that takes long, or waits for a broker that does not answer, holds up no other. A
 * chore that fails is tried again, with pauses that grow.
 */
public final class Housekeeping implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Housekeeping.class);

	private final List<Chore> chores;

	private volatile @Nullable ScheduledExecutorService scheduler;

	/**
	 * Creates it.
	 * @param chores what to do
	 */
	public Housekeeping(List<Chore> chores) {
		this.chores = List.copyOf(chores);
	}

	/**
	 * Begins.
	 */
	public void start() {
		ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(Math.max(1, this.chores.size()),
				(task) -> {
					Thread thread = new Thread(task, "ojs-store");
					thread.setDaemon(true);
					return thread;
				});
		started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.scheduler = started;
		this.chores
			.forEach((chore) -> schedule(started, chore, new Outage(chore.what()), Poller.jittered(chore.interval())));
	}

	private void schedule(ScheduledExecutorService on, Chore chore, Outage outage, Duration pause) {
		try {
			on.schedule(() -> schedule(on, chore, outage, run(chore, outage)), pause.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.trace("No more of it: {}", chore.what(), ex);
		}
	}

	private static Duration run(Chore chore, Outage outage) {
		try {
			Duration pause = chore.action().get();
			outage.over();
			return pause;
		}
		catch (Throwable ex) {
			// Errors too: it would never be done again.
			Duration pause = outage.pause(ex);
			return (pause.compareTo(chore.interval()) > 0) ? pause : chore.interval();
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
