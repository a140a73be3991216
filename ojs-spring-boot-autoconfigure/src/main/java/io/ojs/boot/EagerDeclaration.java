package io.ojs.boot;

import java.util.Collection;

import io.ojs.amqp.internal.topology.TopologyDeclarer;

import org.springframework.context.SmartLifecycle;

/**
 * Declares all known exchanges and queues when the application starts, before any worker
 * or producer uses them.
 */
final class EagerDeclaration implements SmartLifecycle {

	private final TopologyDeclarer declarer;

	private final Collection<String> queues;

	private volatile boolean running;

	EagerDeclaration(TopologyDeclarer declarer, Collection<String> queues) {
		this.declarer = declarer;
		this.queues = queues;
	}

	@Override
	public void start() {
		this.running = true;
		this.declarer.declareEagerly(this.queues);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}
