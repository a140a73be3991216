package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.log.SafeLogger;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueues;
import org.slf4j.Logger;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Applies the state and concurrency of queues to their consumers. All changes happen on
 * one thread, so that a caller that changes a queue does not wait for containers.
 */
final class QueueGovernor implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(QueueGovernor.class);

	/**
	 * When to try again, if a queue waits for a free place, for the connection or to
	 * become empty.
	 */
	private static final Duration AGAIN = Duration.ofMillis(250);

	private final LiveQueues live;

	private final Map<String, WorkedQueue> worked;

	private final ToIntFunction<String> concurrency;

	private final BrokerConnection connection;

	private final TopologyDeclarer declarer;

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Creates a governor that does nothing until {@link #changed} is called.
	 * @param concurrency how many jobs of a queue may run at a time
	 */
	QueueGovernor(LiveQueues live, Map<String, WorkedQueue> worked, ToIntFunction<String> concurrency,
			BrokerConnection connection, TopologyDeclarer declarer) {
		this.live = live;
		this.worked = Map.copyOf(worked);
		this.concurrency = concurrency;
		this.connection = connection;
		this.declarer = declarer;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("ojs-queues-");
		threads.setDaemon(true);
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		// Changes after the end do not matter.
		this.executor.setRejectedExecutionHandler((task, executor) -> logger.debug("Too late for {}", task));
	}

	/**
	 * Applies the state and concurrency of a queue.
	 */
	void changed(String queue) {
		WorkedQueue ofQueue = this.worked.get(queue);
		if (ofQueue != null) {
			this.executor.execute(() -> obey(queue, ofQueue));
		}
	}

	private void obey(String queue, WorkedQueue ofQueue) {
		try {
			LiveQueue now = this.live.get(queue);
			boolean done = isOver(now, ofQueue) ? pause(now, ofQueue) : work(now, ofQueue);
			if (!done) {
				again(queue, ofQueue);
			}
		}
		catch (Throwable ex) {
			logger.warn("The consumers of queue '{}' could not be started or stopped; this is tried again", queue, ex);
			again(queue, ofQueue);
		}
	}

	private void again(String queue, WorkedQueue ofQueue) {
		this.executor.schedule(() -> obey(queue, ofQueue), AGAIN.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * A deleted queue is worked until it is empty, since other producers may have
	 * published to it.
	 */
	private boolean isOver(LiveQueue queue, WorkedQueue ofQueue) {
		if (queue.state() != QueueState.DELETED) {
			return !queue.state().isWorked();
		}
		return ofQueue.containers()
			.stream()
			.flatMap((consumers) -> consumers.amqpQueues().stream())
			.allMatch((name) -> this.declarer.messages(name) == 0);
	}

	private boolean pause(LiveQueue queue, WorkedQueue ofQueue) {
		if (!ofQueue.containers().isEmpty()) {
			logger.info("Queue '{}' is {} and no longer worked here", queue.name(), queue.state().wireName());
		}
		ofQueue.pause();
		return true;
	}

	private boolean work(LiveQueue queue, WorkedQueue ofQueue) {
		// A start would wait for the connection, and all other queues would wait for the
		// start.
		boolean done = (this.connection.isUp() || !ofQueue.needsBroker())
				&& ofQueue.work(this.concurrency.applyAsInt(queue.name()));
		return done && queue.state() != QueueState.DELETED;
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

}
