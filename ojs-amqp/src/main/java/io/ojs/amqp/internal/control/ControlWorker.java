package io.ojs.amqp.internal.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.listen.JobListenerContainer;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.thread.Threads;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.context.SmartLifecycle;

/**
 * Receives requests about the jobs of the queues that this process works, and messages of
 * other workers. It starts before workers take jobs, so that cancel requests from times
 * without a worker are known by then.
 */
public final class ControlWorker implements SmartLifecycle {

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration HEAR_FIRST = Duration.ofSeconds(2);

	private static final Duration POLL = Duration.ofMillis(20);

	/**
	 * More than the tombstones hold, so that there is always room for the next message.
	 */
	private static final int PREFETCH = 2 * Tombstones.MOST_HELD;

	private final BrokerConnection connection;

	private final TopologyDeclarer declarer;

	private final ControlListener listener;

	private final Collection<String> queues;

	/** {@code null} while it is stopped. */
	private volatile @Nullable JobListenerContainer container;

	private volatile boolean running;

	/** Creates an instance that listens when it is started. */
	public ControlWorker(BrokerConnection connection, TopologyDeclarer declarer, ControlListener listener,
			Collection<String> queues) {
		this.connection = connection;
		this.declarer = declarer;
		this.listener = listener;
		this.queues = List.copyOf(queues);
	}

	@Override
	public void start() {
		this.running = true;
		if (this.queues.isEmpty()) {
			return;
		}
		this.declarer.declare(this.queues);
		JobListenerContainer created = container();
		this.container = created;
		if (this.connection.isUp()) {
			created.start();
			Threads.await(this::isHeard, HEAR_FIRST, POLL);
		}
		else {
			Threads.daemon(() -> {
				if (this.connection.awaitWhile(() -> this.container == created)) {
					created.start();
					if (this.container != created) {
						// Stopped before the container was started, so the stop did not
						// stop it.
						created.stop();
					}
				}
			}, "ojs-start-control").start();
		}
	}

	private JobListenerContainer container() {
		OjsNaming naming = this.declarer.topology().naming();
		JobListenerContainer created = new JobListenerContainer("control", this.connection, this::declare,
				this.declarer::forget);
		List<String> names = new ArrayList<>(this.queues.stream().map(naming::controlQueue).toList());
		names.add(naming.workerQueue(this.listener.workerId()));
		created.setQueueNames(names.toArray(String[]::new));
		created.setListenerId("ojs-control");
		created.setBeanName("ojs-control");
		created.setMessageListener(this.listener);
		created.setPrefetchCount(PREFETCH);
		created.setConcurrentConsumers(1);
		created.setShutdownTimeout(STOP_TIMEOUT.toMillis());
		created.afterPropertiesSet();
		return created;
	}

	/** Whether requests from times without a worker are handled by now. */
	private boolean isHeard() {
		OjsNaming naming = this.declarer.topology().naming();
		try {
			return this.queues.stream().allMatch((queue) -> this.declarer.messages(naming.controlQueue(queue)) == 0)
					&& this.listener.isQuiet();
		}
		catch (AmqpException ex) {
			// The connection is lost again, which must not prevent the start of the
			// application.
			return false;
		}
	}

	private void declare() {
		this.queues.forEach(this.declarer::ensureControl);
		this.declarer.ensureWorker(this.listener.workerId());
		// Each time: messages that came while the queue was missing are lost.
		this.listener.join();
	}

	@Override
	public void stop() {
		this.running = false;
		JobListenerContainer stopping = this.container;
		this.container = null;
		if (stopping != null) {
			stopping.stop();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts before workers and stops after them. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1;
	}

}
