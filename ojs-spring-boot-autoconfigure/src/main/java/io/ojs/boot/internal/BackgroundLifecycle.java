package io.ojs.boot.internal;

import org.springframework.context.SmartLifecycle;

/**
 * Runs a background task for as long as the application runs.
 */
public final class BackgroundLifecycle implements SmartLifecycle {

	/**
	 * After the declaration of queues, and long before workers, which have the last
	 * phases.
	 */
	public static final int STORE_PHASE = Integer.MIN_VALUE + 1000;

	private final Runnable start;

	private final Runnable stop;

	private final int phase;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param stop ends the task, after its current step
	 * @param phase the phase of the lifecycle: {@link #STORE_PHASE} for tasks of the job
	 * store, one more for tasks that enqueue jobs, so that the store still publishes
	 * these jobs
	 */
	public BackgroundLifecycle(Runnable start, Runnable stop, int phase) {
		this.start = start;
		this.stop = stop;
		this.phase = phase;
	}

	@Override
	public void start() {
		this.running = true;
		this.start.run();
	}

	@Override
	public void stop() {
		this.stop.run();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
