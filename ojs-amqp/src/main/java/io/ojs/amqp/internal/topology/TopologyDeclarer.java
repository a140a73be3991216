package io.ojs.amqp.internal.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ojs.amqp.Declaration;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.delay.DelayPlugin;
import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

/**
 * Declares exchanges, queues and bindings once, and again on every new connection, so
 * that a broker that lost its queues gets them back.
 *
 * <p>
 * A queue that exists with other arguments cannot be changed (406). The declarer logs
 * both values, and the application uses the queue as it is; it deletes nothing. A queue
 * that is to have a single active consumer is the exception: the declaration fails, since
 * its jobs would run out of order.
 */
public final class TopologyDeclarer {

	private static final String DELAYED_EXCHANGE = "delayed exchange";

	private static final Logger logger = SafeLogger.of(TopologyDeclarer.class);

	/** How long a declaration waits for a connection. */
	private static final Duration OPENING = Duration.ofSeconds(5);

	private final Topology topology;

	private final AmqpAdmin admin;

	private final DeclaringAdmin declaringAdmin;

	private final BrokerConnection connection;

	private final Declaration declaration;

	/** Everything that this application was asked to declare, in this order. */
	private final Map<String, Supplier<List<Declarable>>> wanted = new LinkedHashMap<>();

	/**
	 * A copy of {@link #wanted} for readers, which must not wait for a running
	 * declaration.
	 */
	private volatile Map<String, Supplier<List<Declarable>>> known = Map.of();

	/** Keys of {@link #wanted} that the broker has. */
	private final Set<String> declared = ConcurrentHashMap.newKeySet();

	private final DeclarationPause pause = new DeclarationPause();

	/** Guards declarations and {@link #wanted}. */
	private final ReentrantLock declaring = new ReentrantLock();

	/** Set once the broker has refused the exchange of the plugin. */
	private volatile @Nullable DeclarationRefusedException noDelayedExchange;

	public TopologyDeclarer(Topology topology, AmqpAdmin admin, BrokerConnection connection, Declaration declaration) {
		this.topology = topology;
		this.admin = admin;
		this.declaringAdmin = new DeclaringAdmin(admin);
		this.connection = connection;
		this.declaration = declaration;
		connection.prepare(this::declareAgain);
	}

	/** The topology that it declares. */
	public Topology topology() {
		return this.topology;
	}

	/**
	 * Declares queues if the configuration asks for that at the start
	 * ({@link Declaration#EAGER}).
	 */
	public void declareEagerly(Collection<String> queues) {
		if (this.declaration == Declaration.EAGER) {
			declare(queues);
		}
	}

	/**
	 * Declares queues. If the broker cannot be reached, the next connection declares
	 * them.
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void declare(Collection<String> queues) {
		if (queues.isEmpty()) {
			return;
		}
		// The eager declaration, workers and others name the same queues.
		List<String> added = queues.stream().filter(this::want).toList();
		if (!this.connection.open(OPENING)) {
			if (!added.isEmpty()) {
				logger.warn("The broker cannot be reached yet; queues {} will be declared when it can", added);
			}
			return;
		}
		try {
			queues.forEach(this::ensureQueue);
			if (this.topology.delays() == DelayStrategy.PLUGIN) {
				queues.forEach(this::ensureDelayed);
			}
		}
		catch (AmqpException ex) {
			logger.warn("The broker cannot be reached yet; queues {} will be declared when it can. {}", queues,
					ex.toString());
		}
	}

	/** Returns whether the queue is new here. */
	private boolean want(String queue) {
		this.declaring.lock();
		try {
			want("exchanges", this.topology::exchanges);
			boolean added = want("queue " + queue, () -> this.topology.queue(queue));
			if (this.topology.delays() == DelayStrategy.PLUGIN) {
				want(DELAYED_EXCHANGE, this.topology::delayedExchange);
			}
			return added;
		}
		finally {
			this.declaring.unlock();
		}
	}

	private boolean want(String what, Supplier<List<Declarable>> declarables) {
		boolean added = this.wanted.putIfAbsent(what, declarables) == null;
		if (added) {
			this.known = new LinkedHashMap<>(this.wanted);
		}
		return added;
	}

	/**
	 * Makes sure that a job queue and its dead letter queue exist.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureQueue(String queue) {
		ensure("exchanges", this.topology::exchanges);
		ensure("queue " + queue, () -> this.topology.queue(queue));
	}

	/**
	 * Makes sure that a retry queue exists.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureRetryQueue(Shard shard, long widthMillis) {
		ensureQueue(shard.queue());
		ensure("retry queue " + shard.name() + " " + widthMillis, () -> this.topology.retryQueue(shard, widthMillis));
	}

	/**
	 * Makes sure that the delay levels exist and route to a queue.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureDelays(String queue, int highestLevel) {
		ensureQueue(queue);
		ensure("delay levels", () -> this.topology.delayLevels(highestLevel));
		ensure("due " + queue, () -> this.topology.due(queue));
	}

	/**
	 * Makes sure that the control queue of an OJS queue exists.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureControl(String queue) {
		ensure("exchanges", this.topology::exchanges);
		ensure("control " + queue, () -> this.topology.control(queue));
	}

	/**
	 * Makes sure that the queue exists for dead letters that the job store cannot take
	 * in.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureUndecodable(String queue) {
		ensure("undecodable " + queue, () -> this.topology.undecodable(queue));
	}

	/**
	 * Makes sure that the exchange exists over which workers reach each other.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureControlExchange() {
		ensure("control exchange", this.topology::controlExchange);
	}

	/**
	 * Declares the queue over which other workers reach this one. It belongs to this
	 * process alone, so it is declared even with {@link Declaration#NONE}.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureWorker(String workerId) {
		this.connection.await(OPENING);
		this.topology.worker(workerId).forEach(this.declaringAdmin::declare);
	}

	/**
	 * Counts the messages that wait in an AMQP queue.
	 * @return messages that are ready; 0 if there is no such queue
	 * @throws AmqpException if the broker cannot be reached
	 */
	public long messages(String name) {
		QueueInformation found = this.admin.getQueueInfo(name);
		return (found != null) ? found.getMessageCount() : 0;
	}

	/**
	 * Counts the consumers of an AMQP queue, those of other programs included.
	 * @return consumers; 0 if there is no such queue
	 * @throws AmqpException if the broker cannot be reached
	 */
	public int consumers(String name) {
		QueueInformation found = this.admin.getQueueInfo(name);
		return (found != null) ? found.getConsumerCount() : 0;
	}

	/**
	 * Makes sure that the exchange of the plugin exists and routes to a queue. A broker
	 * without the plugin is asked once, since RabbitMQ before 4.0 answers by closing the
	 * connection.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker does not have the plugin
	 */
	public void ensureDelayed(String queue) {
		ensureQueue(queue);
		ensureDelayedExchange();
		ensure("delayed " + queue, () -> this.topology.delayed(queue));
	}

	private void ensureDelayedExchange() {
		DeclarationRefusedException known = this.noDelayedExchange;
		if (known != null) {
			throw new DeclarationRefusedException(known.getMessage(), known);
		}
		if (this.declaration == Declaration.NONE || this.declared.contains(DELAYED_EXCHANGE)) {
			return;
		}
		this.connection.await(OPENING);
		declareDelayedExchange();
	}

	private void declareDelayedExchange() {
		// Read the version first: a refusal may close the connection.
		String version = version();
		try {
			ensureNow(DELAYED_EXCHANGE, this.topology::delayedExchange);
		}
		catch (DeclarationRefusedException ex) {
			DeclarationRefusedException refused = new DeclarationRefusedException(
					("ojs.delay.strategy=plugin cannot work: RabbitMQ %s refuses the exchange '%s' of type %s. Enable the "
							+ "plugin rabbitmq_delayed_message_exchange on every node and restart the application, or "
							+ "set ojs.delay.strategy=levels; for RabbitMQ 4.3 and later there is no such plugin. "
							+ "%s")
						.formatted(version, this.topology.naming().delayedExchange(), DelayPlugin.EXCHANGE_TYPE,
								ex.getMessage()),
					ex);
			this.noDelayedExchange = refused;
			this.declaring.lock();
			try {
				this.wanted.remove(DELAYED_EXCHANGE);
			}
			finally {
				this.declaring.unlock();
			}
			logger.error("{}", refused.getMessage());
			throw refused;
		}
	}

	/** Logs a refusal, so that the other declarations go on. */
	private void declareDelayedExchangeAgain() {
		if (this.noDelayedExchange == null) {
			try {
				declareDelayedExchange();
			}
			catch (DeclarationRefusedException ex) {
				logger.debug("Scheduled jobs will be refused", ex);
			}
		}
	}

	private String version() {
		Object version = (this.admin instanceof RabbitAdmin rabbit) ? rabbit.getRabbitTemplate()
			.execute((channel) -> channel.getConnection().getServerProperties().get("version")) : null;
		return (version != null) ? version.toString() : "";
	}

	/**
	 * Declares everything again on its next use, one second from now at the earliest. To
	 * be called when the broker reports that a queue or exchange is missing.
	 */
	public void forget() {
		this.pause.begin();
		this.declared.clear();
	}

	/**
	 * The differences between the broker and this application that declarations have
	 * shown.
	 * @return queues and exchanges with other arguments, ordered by name
	 */
	public List<Drift> drift() {
		return this.declaringAdmin.drift();
	}

	/**
	 * The AMQP queues that this application knows: those of its OJS queues, and the retry
	 * queues and delay levels that it has used since its start. Does not block.
	 * @param further OJS queues to include even if they are not declared yet
	 */
	public List<DeclaredQueue> queues(Collection<String> further) {
		Map<String, Supplier<List<Declarable>>> all = new LinkedHashMap<>(this.known);
		further.forEach((queue) -> all.putIfAbsent("queue " + queue, () -> this.topology.queue(queue)));
		return all.values()
			.stream()
			.flatMap((declarables) -> DeclaredQueue.of(declarables.get(), this.topology.naming()).stream())
			.toList();
	}

	private void ensure(String what, Supplier<List<Declarable>> declarables) {
		if (this.declaration == Declaration.NONE || this.declared.contains(what)) {
			return;
		}
		// Wait without the lock: the thread that prepares a new connection needs it.
		this.connection.await(OPENING);
		this.pause.await();
		ensureNow(what, declarables);
	}

	private void ensureNow(String what, Supplier<List<Declarable>> declarables) {
		this.declaring.lock();
		try {
			want(what, declarables);
			if (!this.declared.contains(what)) {
				declarables.get().forEach(this.declaringAdmin::declare);
				this.declared.add(what);
			}
		}
		finally {
			this.declaring.unlock();
		}
	}

	/** Runs on a new connection before any other thread uses it. */
	private void declareAgain() {
		if (this.declaration == Declaration.NONE) {
			return;
		}
		this.declaring.lock();
		try {
			this.declared.clear();
			for (Map.Entry<String, Supplier<List<Declarable>>> each : List.copyOf(this.wanted.entrySet())) {
				if (each.getKey().equals(DELAYED_EXCHANGE)) {
					declareDelayedExchangeAgain();
				}
				else {
					ensureNow(each.getKey(), each.getValue());
				}
			}
		}
		finally {
			this.declaring.unlock();
		}
	}

}
