package io.ojs.boot;

import io.ojs.workflow.WorkflowEngine;

import org.springframework.context.SmartLifecycle;

/**
 * Goes on with workflows for as long as the job store is worked on.
 */
final class WorkflowsLifecycle implements SmartLifecycle {

	private final WorkflowEngine engine;

	private volatile boolean running;

	WorkflowsLifecycle(WorkflowEngine engine) {
		this.engine = engine;
	}

	@Override
	public void start() {
		this.running = true;
		this.engine.start();
	}

	/**
	 * What a worker ends afterwards, another instance goes on with, or this one later.
	 */
	@Override
	public void stop() {
		this.engine.close();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return StoreLifecycle.PHASE + 1;
	}

}
