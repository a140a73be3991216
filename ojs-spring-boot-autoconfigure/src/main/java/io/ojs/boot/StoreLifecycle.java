package io.ojs.boot;

import io.ojs.store.PeriodicTasks;
import io.ojs.store.relay.DirectPublisher;
import io.ojs.store.relay.PublishedJobs;
import io.ojs.store.relay.Relay;

import org.springframework.context.SmartLifecycle;

/**
 * Starts what works on the job store before anybody works jobs, and stops it after them:
 * what they still enqueue is published.
 */
final class StoreLifecycle implements SmartLifecycle {

	/** After the declaration of queues; workers are at the end. */
	static final int PHASE = Integer.MIN_VALUE + 1000;

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
		return PHASE;
	}

}
