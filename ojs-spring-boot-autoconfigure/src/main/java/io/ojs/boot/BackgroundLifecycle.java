package io.ojs.boot;

import org.springframework.context.SmartLifecycle;

/**
 * Has something work in the background for as long as the application runs.
 */
final class BackgroundLifecycle implements SmartLifecycle {

	private final Runnable start;

	private final Runnable stop;

	private final int phase;

	private volatile boolean running;

	/**
	 * Creates it.
	 * @param start starts it
	 * @param stop ends it, after what it is doing
	 * @param phase when, among others: {@link StoreLifecycle#PHASE} for what works on the
	 * job store, one more for what enqueues jobs, which that publishes
	 */
	BackgroundLifecycle(Runnable start, Runnable stop, int phase) {
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
