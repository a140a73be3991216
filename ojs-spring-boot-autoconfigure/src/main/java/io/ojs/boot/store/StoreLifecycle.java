package io.ojs.boot.store;

import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.store.internal.PeriodicTasks;
import io.ojs.store.internal.relay.DirectPublisher;
import io.ojs.store.internal.relay.PublishedJobs;
import io.ojs.store.internal.relay.Relay;

import org.springframework.context.SmartLifecycle;

/**
 * Starts the background work of the job store before workers, and stops it after them, so
 * that it publishes the jobs that they enqueue until the end.
 */
final class StoreLifecycle implements SmartLifecycle {

	private final DirectPublisher direct;

	private final PublishedJobs published;

	private final Relay relay;

	private final PeriodicTasks tasks;

	private volatile boolean running;

	StoreLifecycle(DirectPublisher direct, PublishedJobs published, Relay relay, PeriodicTasks tasks) {
		this.direct = direct;
		this.published = published;
		this.relay = relay;
		this.tasks = tasks;
	}

	@Override
	public void start() {
		this.running = true;
		this.direct.start();
		this.relay.start();
		this.tasks.start();
	}

	@Override
	public void stop() {
		this.tasks.close();
		this.relay.close();
		this.direct.close();
		this.running = false;
		this.published.close();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return BackgroundLifecycle.STORE_PHASE;
	}

}
