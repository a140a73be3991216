package io.ojs.amqp.internal.deadletter;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.listen.JobListenerContainer;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.thread.Threads;

import org.springframework.context.SmartLifecycle;

/**
 * Moves the dead letters of the queues that this process works into the job store,
 * whatever dead-lettered them. From then on, operators search, replay and delete them
 * there.
 */
public final class DeadLetterCollector implements SmartLifecycle {

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private static final int PREFETCH = 20;

	private final BrokerConnection connection;

	private final TopologyDeclarer declarer;

	private final ConfirmingPublisher publisher;

	private final Destination destination;

	private final List<String> queues;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private final List<JobListenerContainer> containers = new ArrayList<>();

	private volatile boolean running;

	public DeadLetterCollector(BrokerConnection connection, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			Destination destination, Collection<String> queues) {
		this.connection = connection;
		this.declarer = declarer;
		this.publisher = publisher;
		this.destination = destination;
		this.queues = List.copyOf(queues);
	}

	@Override
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.running) {
				return;
			}
			this.running = true;
			this.queues.forEach((queue) -> this.containers.add(container(queue)));
			if (this.containers.isEmpty()) {
				return;
			}
			// On a thread of its own, since the broker may not be reachable yet.
			List<JobListenerContainer> created = List.copyOf(this.containers);
			Threads.daemon(() -> startWhenConnected(created), "ojs-start-collector").start();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void startWhenConnected(List<JobListenerContainer> created) {
		if (!this.connection.awaitWhile(() -> this.running)) {
			return;
		}
		this.lifecycle.lock();
		try {
			if (this.containers.equals(created)) {
				created.forEach(JobListenerContainer::start);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private JobListenerContainer container(String queue) {
		JobListenerContainer container = new JobListenerContainer(queue, this.connection,
				() -> this.declarer.ensureQueue(queue), this.declarer::forget);
		container.setQueueNames(this.declarer.topology().naming().deadLetterQueue(queue));
		container.setListenerId("ojs.dlx." + queue);
		container.setBeanName("ojs-dlx-" + queue);
		container.setMessageListener(new DeadLetterListener(queue, this.destination,
				new ParkingPublisher(this.declarer, this.publisher), () -> !this.running));
		container.setPrefetchCount(PREFETCH);
		container.setConcurrentConsumers(1);
		container.setShutdownTimeout(STOP_TIMEOUT.toMillis());
		container.afterPropertiesSet();
		return container;
	}

	@Override
	public void stop() {
		this.running = false;
		List<JobListenerContainer> stopping;
		this.lifecycle.lock();
		try {
			stopping = List.copyOf(this.containers);
			this.containers.clear();
		}
		finally {
			this.lifecycle.unlock();
		}
		stopping.forEach(JobListenerContainer::stop);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Where dead letters go.
	 *
	 * @param retryPolicies give the maximum number of attempts if the message has none
	 */
	public record Destination(DeadLetterStore store, JobMessages messages, RetryPolicies retryPolicies, Clock clock) {
	}

}
