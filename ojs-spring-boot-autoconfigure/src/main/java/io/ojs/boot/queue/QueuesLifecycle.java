package io.ojs.boot.queue;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import io.ojs.boot.internal.BackgroundLifecycle;
import io.ojs.internal.thread.Threads;
import io.ojs.queue.internal.lifecycle.QueueReconciler;
import io.ojs.queue.internal.lifecycle.QueueRegistry;
import io.ojs.queue.internal.lifecycle.StoreQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps this process's view of queues up to date. It starts before workers, which would
 * otherwise begin to work paused queues.
 */
final class QueuesLifecycle implements SmartLifecycle {

	private final QueueRegistry registry;

	private final StoreQueues queues;

	private @Nullable ScheduledExecutorService scheduler;

	private @Nullable QueueReconciler refresher;

	QueuesLifecycle(QueueRegistry registry, StoreQueues queues) {
		this.registry = registry;
		this.queues = queues;
	}

	@Override
	public void start() {
		this.scheduler = Executors.newSingleThreadScheduledExecutor((work) -> Threads.daemon(work, "ojs-queues"));
		this.refresher = new QueueReconciler(this.registry, this.queues, this.scheduler,
				QueueReconciler.DEFAULT_INTERVAL);
		this.refresher.start();
	}

	@Override
	public void stop() {
		if (this.refresher != null && this.scheduler != null) {
			this.refresher.stop();
			// Not interrupted, because an interrupt can close an embedded database.
			this.scheduler.shutdown();
			this.refresher = null;
			this.scheduler = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.refresher != null;
	}

	@Override
	public int getPhase() {
		return BackgroundLifecycle.STORE_PHASE;
	}

}
