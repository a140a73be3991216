package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.amqp.connect.BrokerConnection;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.topology.QueueSettings;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.handler.JobHandlerDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.SmartLifecycle;

/**
 * Works the queues of this application's handlers: one listener container for each queue
 * (AMQP binding §5.2).
 */
public final class JobWorker implements SmartLifecycle {

	/** Default of how long running jobs may go on when the application stops. */
	public static final Duration DEFAULT_SHUTDOWN_GRACE = Duration.ofSeconds(25);

	private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(JobWorker.class);

	private final BrokerConnection connection;

	private final TopologyDeclarer declarer;

	private final ConfirmingPublisher publisher;

	private final JobRuntime runtime;

	private final WorkerOptions options;

	private final List<SimpleMessageListenerContainer> containers = new ArrayList<>();

	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile boolean running;

	/**
	 * Creates a worker that does not work yet.
	 * @param connection where jobs come from
	 * @param declarer makes sure that queues exist
	 * @param publisher moves jobs to lanes and dead letter queues
	 * @param runtime runs jobs
	 * @param options the rest
	 */
	public JobWorker(BrokerConnection connection, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			JobRuntime runtime, WorkerOptions options) {
		this.connection = connection;
		this.declarer = declarer;
		this.publisher = publisher;
		this.runtime = runtime;
		this.options = options;
	}

	@Override
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.running) {
				return;
			}
			this.running = true;
			Map<String, List<JobHandlerDefinition>> queues = this.runtime.handlers().byQueue();
			this.declarer.declare(queues.keySet());
			queues.forEach((queue, definitions) -> this.containers.add(container(queue, definitions)));
			if (this.containers.isEmpty() || this.connection.isUp()) {
				this.containers.forEach(SimpleMessageListenerContainer::start);
			}
			else {
				// The application starts all the same, and works as soon as it can.
				Thread starter = new Thread(this::startLater, "ojs-start");
				starter.setDaemon(true);
				starter.start();
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void startLater() {
		if (this.connection.awaitWhile(() -> this.running)) {
			this.lifecycle.lock();
			try {
				// None are left if it was stopped meanwhile.
				this.containers.forEach(SimpleMessageListenerContainer::start);
			}
			finally {
				this.lifecycle.unlock();
			}
		}
	}

	private SimpleMessageListenerContainer container(String queue, List<JobHandlerDefinition> definitions) {
		QueueSettings settings = this.declarer.topology().settings(queue);
		int concurrency = concurrency(settings, definitions);
		DeliverySettler settler = new DeliverySettler(this.publisher, this.declarer, this.options, () -> !this.running);
		SimpleMessageListenerContainer container = new JobListenerContainer(queue, this.connection,
				() -> this.declarer.ensureQueue(queue), this.declarer::forget);
		container.setQueueNames(this.declarer.topology().naming().jobQueue(queue));
		container.setListenerId("ojs." + queue);
		container.setBeanName("ojs-" + queue);
		container.setMessageListener(new JobMessageListener(queue, this.runtime));
		container.setAdviceChain(new RetryInterceptor(queue, settler, this.runtime));
		container.setPrefetchCount(settings.prefetch());
		container.setConcurrentConsumers(concurrency);
		// Handlers are interrupted when the grace is over, and then have a moment to end.
		container.setShutdownTimeout(this.options.shutdownGrace().plus(LAST_MOMENT).toMillis());
		this.options.customizers().forEach((customizer) -> customizer.customize(queue, container));
		container.afterPropertiesSet();
		logger.info("Working queue '{}' with {} consumers, prefetch {}: {}", queue, concurrency, settings.prefetch(),
				definitions.stream().map(JobHandlerDefinition::type).toList());
		return container;
	}

	private static int concurrency(QueueSettings settings, List<JobHandlerDefinition> definitions) {
		if (settings.concurrency() > 0) {
			return settings.concurrency();
		}
		int ofHandlers = definitions.stream().mapToInt(JobHandlerDefinition::concurrency).max().orElse(0);
		return (ofHandlers > 0) ? ofHandlers : QueueSettings.DEFAULT_CONCURRENCY;
	}

	@Override
	public void stop() {
		CountDownLatch stopped = new CountDownLatch(1);
		stop(stopped::countDown);
		try {
			stopped.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void stop(Runnable callback) {
		this.lifecycle.lock();
		try {
			this.running = false;
			List<SimpleMessageListenerContainer> stopping = List.copyOf(this.containers);
			this.containers.clear();
			if (stopping.isEmpty()) {
				callback.run();
				return;
			}
			Future<?> grace = this.runtime.supervision()
				.deadlines()
				.schedule(this.runtime.supervision().running()::stop, this.options.shutdownGrace());
			AtomicInteger left = new AtomicInteger(stopping.size());
			// All at once: queues share one grace period and do not wait for each other.
			for (SimpleMessageListenerContainer container : stopping) {
				container.stop(() -> {
					if (left.decrementAndGet() == 0) {
						grace.cancel(false);
						callback.run();
					}
				});
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The queues that are worked.
	 * @return OJS queues, while it runs
	 */
	public List<String> queues() {
		return this.running ? List.copyOf(this.runtime.handlers().byQueue().keySet()) : List.of();
	}

}
