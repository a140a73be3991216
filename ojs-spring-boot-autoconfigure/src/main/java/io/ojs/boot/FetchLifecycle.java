package io.ojs.boot;

import io.ojs.store.Housekeeping;

import org.springframework.context.SmartLifecycle;

/**
 * Looks after jobs that workers fetch, for as long as the job store is at work.
 */
final class FetchLifecycle implements SmartLifecycle {

	private final Housekeeping housekeeping;

	private volatile boolean running;

	FetchLifecycle(Housekeeping housekeeping) {
		this.housekeeping = housekeeping;
	}

	@Override
	public void start() {
		this.running = true;
		this.housekeeping.start();
	}

	@Override
	public void stop() {
		this.housekeeping.close();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return StoreLifecycle.PHASE;
	}

}
