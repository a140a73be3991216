package io.ojs.boot;

import io.ojs.cron.CronScheduler;

import org.springframework.context.SmartLifecycle;

/**
 * Fires crons for as long as the job store works.
 */
final class CronLifecycle implements SmartLifecycle {

	private final CronScheduler scheduler;

	private final CronDeclarations declarations;

	private final String application;

	private volatile boolean running;

	CronLifecycle(CronScheduler scheduler, CronDeclarations declarations, String application) {
		this.scheduler = scheduler;
		this.declarations = declarations;
		this.application = application;
	}

	@Override
	public void start() {
		this.running = true;
		this.scheduler.start(this.application, this.declarations.requests());
	}

	@Override
	public void stop() {
		this.scheduler.close();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** What it enqueues is published by what starts before it. */
	@Override
	public int getPhase() {
		return StoreLifecycle.PHASE + 1;
	}

}
