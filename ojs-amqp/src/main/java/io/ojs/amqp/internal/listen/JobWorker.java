package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.observe.ConsumerMetrics;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.RunningJob;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.queue.Delivery;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.context.SmartLifecycle;

/**
 * Works the queues of this application's handlers, with one listener container for each
 * queue or shard (AMQP binding §5.2). For queues whose jobs the job store delivers,
 * threads fetch jobs instead.
 */
public final class JobWorker implements SmartLifecycle {

	/** Default of how long running jobs may go on when the application stops. */
	public static final Duration DEFAULT_SHUTDOWN_GRACE = Duration.ofSeconds(25);

	private static final int MAX_ACKS_TOGETHER = 32;

	private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

	private static final Logger logger = SafeLogger.of(JobWorker.class);

	private final BrokerConnection connection;

	private final TopologyDeclarer declarer;

	private final ConfirmingPublisher publisher;

	private final JobRuntime runtime;

	private final WorkerOptions options;

	private final LiveQueues live;

	/** None without a job store. */
	private final @Nullable StoreWork storeWork;

	/** Volatile, so that readers do not wait for a start or stop. */
	private volatile Map<String, WorkedQueue> working = Map.of();

	private volatile @Nullable QueueGovernor governor;

	/** Whether this worker listens to changes of queues. */
	private boolean listening;

	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile boolean running;

	/** Whether the worker stops and its shutdown grace has passed. */
	private volatile boolean cutOff;

	public JobWorker(BrokerConnection connection, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			JobRuntime runtime, WorkerOptions options) {
		this(connection, declarer, publisher, runtime, options, LiveQueues.UNMANAGED, null);
	}

	/**
	 * Creates a worker that is not started and whose queues can be paused and configured
	 * while it works.
	 * @param storeWork provides jobs of queues whose jobs the store delivers;
	 * {@code null} if there are none
	 */
	public JobWorker(BrokerConnection connection, TopologyDeclarer declarer, ConfirmingPublisher publisher,
			JobRuntime runtime, WorkerOptions options, LiveQueues live, @Nullable StoreWork storeWork) {
		this.connection = connection;
		this.declarer = declarer;
		this.publisher = publisher;
		this.runtime = runtime;
		this.options = options;
		this.live = live;
		this.storeWork = storeWork;
		if (storeWork != null) {
			// Register these queues now, since the relay starts before this worker.
			runtime.handlers()
				.byQueue()
				.keySet()
				.stream()
				.filter(this::isDeliveredByStore)
				.forEach(storeWork.wakeUps()::works);
		}
	}

	@Override
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.running) {
				return;
			}
			this.running = true;
			this.cutOff = false;
			if (this.runtime.supervision().attempts() != null) {
				this.runtime.supervision().attempts().leases().start();
			}
			Map<String, List<JobHandlerDefinition>> queues = this.runtime.handlers().byQueue();
			this.declarer.declare(queues.keySet());
			Map<String, WorkedQueue> made = new LinkedHashMap<>();
			queues.forEach((queue, definitions) -> made.put(queue, worked(queue, definitions)));
			this.working = Collections.unmodifiableMap(made);
			made.values().stream().filter((queue) -> !queue.needsBroker()).forEach(WorkedQueue::start);
			if (this.connection.isUp() || made.values().stream().noneMatch(WorkedQueue::needsBroker)) {
				begin();
			}
			else {
				// The application starts nevertheless, and works as soon as there is a
				// connection.
				Threads.daemon(this::startLater, "ojs-start").start();
			}
			govern();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void startLater() {
		if (this.connection.awaitWhile(() -> this.running)) {
			this.lifecycle.lock();
			try {
				// The list is empty if the worker was stopped meanwhile.
				begin();
			}
			finally {
				this.lifecycle.unlock();
			}
		}
	}

	private WorkedQueue worked(String queue, List<JobHandlerDefinition> definitions) {
		QueueSettings settings = this.declarer.topology().settings(queue);
		boolean ofStore = isDeliveredByStore(queue);
		WorkedQueue worked = new WorkedQueue(queue, settings.ordering().isOrdered(), !ofStore,
				ofStore ? (consumers) -> List.of(fetching(settings, definitions, consumers))
						: (consumers) -> containers(queue, definitions, consumers));
		LiveQueue now = this.live.get(queue);
		if (now.state().isWorked()) {
			worked.prepare(concurrency(queue));
		}
		else {
			logger.info("Queue '{}' is {} and not worked", queue, now.state().wireName());
		}
		return worked;
	}

	private void begin() {
		this.working.values().stream().filter(WorkedQueue::needsBroker).forEach(WorkedQueue::start);
	}

	/**
	 * Pauses, resumes and configures queues from now on, also those that wait for the
	 * broker.
	 */
	private void govern() {
		if (this.live == LiveQueues.UNMANAGED || this.working.isEmpty()) {
			return;
		}
		this.governor = new QueueGovernor(this.live, this.working, this::concurrency, this.connection, this.declarer);
		if (!this.listening) {
			this.listening = true;
			this.live.listen((before, now) -> changed(now.name()));
		}
		// Changes may have come during the start.
		this.working.keySet().forEach(this::changed);
	}

	private void changed(String queue) {
		QueueGovernor now = this.governor;
		if (now != null) {
			now.changed(queue);
		}
	}

	private boolean isDeliveredByStore(String queue) {
		return this.storeWork != null && this.declarer.topology().settings(queue).delivery() == Delivery.STORE;
	}

	private QueueConsumers fetching(QueueSettings settings, List<JobHandlerDefinition> definitions, int concurrency) {
		logger.info("Working queue '{}' with {} threads, prefetch {}, delivered by the job store: {}", settings.name(),
				concurrency, settings.prefetch(), definitions.stream().map(JobHandlerDefinition::type).toList());
		BooleanSupplier stopping = () -> !this.running;
		return new StoreConsumers(settings, concurrency, this.runtime, Objects.requireNonNull(this.storeWork),
				() -> this.cutOff, (left) -> new DeliveryProcessor<>(this.runtime, DeliverySource.ofStore(),
						runner(settings.name(), stopping), recorder(left), stopping));
	}

	private AttemptRunner runner(String queue, BooleanSupplier stopping) {
		return new AttemptRunner(queue, this.runtime, this.live, stopping);
	}

	private OutcomeRecorder recorder(PendingOutcomes left) {
		return new OutcomeRecorder(this.runtime.supervision().attempts(), () -> this.cutOff, left);
	}

	private List<QueueConsumers> containers(String queue, List<JobHandlerDefinition> definitions, int concurrency) {
		Topology topology = this.declarer.topology();
		QueueSettings settings = topology.settings(queue);
		List<Shard> shards = topology.shards(queue);
		int consumers = concurrency * shards.size();
		ConsumerMetrics metrics = this.options.metrics().consumers(queue, consumers);
		ConsumerMeter meter = new ConsumerMeter(metrics, consumers);
		DeliverySettler settler = new DeliverySettler(this.publisher, this.declarer, this.options, () -> !this.running,
				metrics, acksTogether(settings, consumers));
		List<SimpleMessageListenerContainer> made = new ArrayList<>();
		for (Shard shard : shards) {
			JobListenerContainer container = container(shard, settings);
			PendingOutcomes left = new PendingOutcomes(concurrency,
					() -> container.isActive() && !isOneAtATime(settings) && !container.isChannelTransacted());
			container.beforeShutdown(left::await);
			container.setMessageListener(meter.around(listener(shard, settler, left)));
			container.setConcurrentConsumers(concurrency);
			made.add(container);
		}
		if (settings.ordering() == Ordering.KEY) {
			SimpleMessageListenerContainer container = container(Shard.whole(queue), settings);
			container.setMessageListener(new ShardMover(queue, topology, settler, this.runtime));
			made.add(container);
		}
		made.forEach((container) -> finish(container, settings));
		logger.info("Working queue '{}' with {} consumers, prefetch {}, ordering {}: {}", queue, concurrency,
				settings.prefetch(), settings.ordering(),
				definitions.stream().map(JobHandlerDefinition::type).toList());
		return made.stream().<QueueConsumers>map(BrokerConsumers::new).toList();
	}

	private ChannelAwareMessageListener listener(Shard shard, DeliverySettler settler, PendingOutcomes left) {
		BooleanSupplier stopping = () -> !this.running;
		DeliverySource<BrokerDelivery> source = new BrokerDeliveries(this.runtime,
				new Claims(shard.queue(), this.runtime, stopping), settler);
		DeliveryProcessor<BrokerDelivery> processor = new DeliveryProcessor<>(this.runtime, source,
				runner(shard.queue(), stopping), recorder(left), stopping);
		return (message, channel) -> processor.process(new BrokerDelivery(shard,
				Objects.requireNonNull(channel, "The container works with a channel"), message));
	}

	/**
	 * So few that the broker still gets enough acks to deliver further messages while
	 * others wait.
	 */
	static int acksTogether(QueueSettings settings, int consumers) {
		return isOneAtATime(settings) ? 1 : Math.min(MAX_ACKS_TOGETHER, consumers * settings.prefetch() / 4);
	}

	/** Whether a job must end, with its ack, before the next one begins. */
	private static boolean isOneAtATime(QueueSettings settings) {
		return settings.ordering().isOrdered()
				|| Boolean.TRUE.equals(settings.arguments().get("x-single-active-consumer"));
	}

	private JobListenerContainer container(Shard shard, QueueSettings settings) {
		JobListenerContainer container = new JobListenerContainer(shard.queue(), this.connection,
				() -> this.declarer.ensureQueue(shard.queue()), this.declarer::forget);
		container.setQueueNames(this.declarer.topology().naming().jobQueue(shard.name()));
		container.setListenerId("ojs." + shard.name());
		container.setBeanName("ojs-" + shard.name());
		container.setPrefetchCount(settings.prefetch());
		// Handlers are interrupted at the end of the grace, and then have a moment to
		// end.
		container.setShutdownTimeout(this.options.shutdownGrace().plus(LAST_MOMENT).toMillis());
		return container;
	}

	private void finish(SimpleMessageListenerContainer container, QueueSettings settings) {
		this.options.customizers().forEach((customizer) -> customizer.customize(settings.name(), container));
		// A customizer cannot change this: a delivery is settled on the channel that
		// brought it.
		container.setExposeListenerChannel(true);
		if (settings.ordering().isOrdered()) {
			container.setConcurrentConsumers(1);
			container.setMaxConcurrentConsumers(1);
			container.setPrefetchCount(1);
			// If a consumer were only cancelled, the broker would activate the next one
			// while this one still has a job. Closing the channel returns the job in the
			// same moment.
			container.setForceStop(true);
		}
		container.afterPropertiesSet();
	}

	/**
	 * How many consumers this process is to have for a queue.
	 * @return 1 or more
	 */
	public int concurrency(String queue) {
		QueueSettings settings = this.declarer.topology().settings(queue);
		Integer now = this.live.get(queue).config().concurrency();
		if (now != null && !settings.ordering().isOrdered()) {
			return now;
		}
		return concurrency(settings, this.runtime.handlers().byQueue().getOrDefault(queue, List.of()));
	}

	private static int concurrency(QueueSettings settings, List<JobHandlerDefinition> definitions) {
		if (settings.concurrency() > 0) {
			return settings.concurrency();
		}
		int ofHandlers = definitions.stream().mapToInt(JobHandlerDefinition::concurrency).max().orElse(0);
		return (ofHandlers > 0) ? ofHandlers : QueueSettings.DEFAULT_CONCURRENCY;
	}

	/**
	 * How many consumers this process has for a queue at most, in all of its shards: the
	 * configured number, or the present one if it is higher.
	 * @return 0 or more
	 */
	public int consumers(String queue) {
		WorkedQueue worked = this.working.get(queue);
		int active = (worked != null) ? worked.containers().stream().mapToInt(QueueConsumers::active).sum() : 0;
		if (!this.live.get(queue).state().isWorked()) {
			return active;
		}
		Topology topology = this.declarer.topology();
		int movers = (topology.settings(queue).ordering() == Ordering.KEY) ? 1 : 0;
		return Math.max(active, concurrency(queue) * topology.shards(queue).size() + movers);
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
			QueueGovernor governing = this.governor;
			if (governing != null) {
				governing.close();
				this.governor = null;
			}
			Collection<WorkedQueue> stopping = this.working.values();
			this.working = Map.of();
			if (stopping.isEmpty()) {
				stopped(callback);
				return;
			}
			Future<?> grace = this.runtime.supervision().deadlines().schedule(() -> {
				this.cutOff = true;
				this.runtime.supervision().running().stop();
			}, this.options.shutdownGrace());
			Duration patience = this.options.shutdownGrace().plus(LAST_MOMENT);
			// All queues at once, so that they share one grace period.
			CompletableFuture
				.allOf(stopping.stream().map((queue) -> queue.stop(patience)).toArray(CompletableFuture<?>[]::new))
				.thenRun(() -> {
					grace.cancel(false);
					stopped(callback);
				});
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/** Leases are extended until no job runs any more. */
	private void stopped(Runnable callback) {
		if (this.runtime.supervision().attempts() != null) {
			this.runtime.supervision().attempts().leases().stop();
		}
		callback.run();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The states of the consumers of each queue.
	 * @return their states; empty while the worker is stopped
	 */
	public List<ContainerState> containers() {
		List<ContainerState> states = new ArrayList<>();
		this.working.forEach((queue, worked) -> worked.containers().forEach((each) -> {
			List<String> queues = each.amqpQueues().isEmpty() ? List.of(queue) : each.amqpQueues();
			states.add(new ContainerState(queues, each.isRunning(), each.active()));
		}));
		return states;
	}

	/**
	 * The attempts that run at this moment.
	 * @return jobs whose handlers run, the longest running first
	 */
	public List<RunningJob> running(String queue) {
		return this.runtime.supervision().running().of(queue);
	}

	/**
	 * The queues that this worker works.
	 * @return OJS queues; empty while the worker is stopped
	 */
	public List<String> queues() {
		return this.running ? List.copyOf(this.runtime.handlers().byQueue().keySet()) : List.of();
	}

}
