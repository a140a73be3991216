package io.ojs.amqp.topology;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.ojs.amqp.connect.BrokerConnection;
import io.ojs.amqp.delay.DelayPlugin;
import io.ojs.amqp.delay.DelayStrategy;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.QueueInformation;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

/**
 * Declares what is needed, once, and again on every new connection: a broker that lost
 * its queues gets them back.
 *
 * <p>
 * A queue that exists with other arguments cannot be changed (406). That is reported with
 * both values and the queue is used as it is; nothing is deleted. Only a queue that is to
 * have a single active consumer is refused: its order would be gone.
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

	/** What this application was ever asked to declare, in that order. */
	private final Map<String, Supplier<List<Declarable>>> wanted = new LinkedHashMap<>();

	/** The same for those who look: they must not wait while something is declared. */
	private volatile Map<String, Supplier<List<Declarable>>> known = Map.of();

	/** What of it the broker is known to have. */
	private final Set<String> declared = ConcurrentHashMap.newKeySet();

	private final DeclarationPause pause = new DeclarationPause();

	/** Held while declaring, and while {@link #wanted} is touched. */
	private final ReentrantLock declaring = new ReentrantLock();

	/** Why there is no exchange that delays, once the broker has said so. */
	private volatile @Nullable DeclarationRefusedException noDelayedExchange;

	/**
	 * Creates a declarer.
	 * @param topology what to declare
	 * @param admin how
	 * @param connection the connection that it is declared over
	 * @param declaration when
	 */
	public TopologyDeclarer(Topology topology, AmqpAdmin admin, BrokerConnection connection, Declaration declaration) {
		this.topology = topology;
		this.admin = admin;
		this.declaringAdmin = new DeclaringAdmin(admin);
		this.connection = connection;
		this.declaration = declaration;
		connection.prepare(this::declareAgain);
	}

	/**
	 * What is declared.
	 * @return the topology
	 */
	public Topology topology() {
		return this.topology;
	}

	/**
	 * Declares queues when the application starts, if that is what was chosen.
	 * @param queues OJS queues that are known
	 */
	public void declareEagerly(Collection<String> queues) {
		if (this.declaration == Declaration.EAGER) {
			declare(queues);
		}
	}

	/**
	 * Declares queues. A broker that cannot be reached now gets them when it can.
	 * @param queues OJS queues
	 * @throws DeclarationRefusedException if the broker is there and refuses
	 */
	public void declare(Collection<String> queues) {
		if (queues.isEmpty()) {
			return;
		}
		queues.forEach(this::want);
		if (!this.connection.open(OPENING)) {
			logger.warn("The broker cannot be reached yet; queues {} will be declared when it can", queues);
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

	private void want(String queue) {
		this.declaring.lock();
		try {
			want("exchanges", this.topology::exchanges);
			want("queue " + queue, () -> this.topology.queue(queue));
			if (this.topology.delays() == DelayStrategy.PLUGIN) {
				want(DELAYED_EXCHANGE, this.topology::delayedExchange);
			}
		}
		finally {
			this.declaring.unlock();
		}
	}

	private void want(String what, Supplier<List<Declarable>> declarables) {
		if (this.wanted.putIfAbsent(what, declarables) == null) {
			this.known = new LinkedHashMap<>(this.wanted);
		}
	}

	/**
	 * Makes sure that a job queue and its dead letter queue exist.
	 * @param queue the OJS queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureQueue(String queue) {
		ensure("exchanges", this.topology::exchanges);
		ensure("queue " + queue, () -> this.topology.queue(queue));
	}

	/**
	 * Makes sure that a retry queue exists.
	 * @param shard where its jobs come from and go to
	 * @param widthMillis the width of the retry queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureRetryQueue(Shard shard, long widthMillis) {
		ensureQueue(shard.queue());
		ensure("retry queue " + shard.name() + " " + widthMillis, () -> this.topology.retryQueue(shard, widthMillis));
	}

	/**
	 * Makes sure that scheduled jobs of a queue can wait and come back.
	 * @param queue the OJS queue
	 * @param highestLevel the highest delay level
	 * @throws AmqpException if the broker cannot be reached
	 */
	public void ensureDelays(String queue, int highestLevel) {
		ensureQueue(queue);
		ensure("delay levels", () -> this.topology.delayLevels(highestLevel));
		ensure("due " + queue, () -> this.topology.due(queue));
	}

	/**
	 * Makes sure that requests about the jobs of a queue can be made.
	 * @param queue the OJS queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureControl(String queue) {
		ensure("exchanges", this.topology::exchanges);
		ensure("control " + queue, () -> this.topology.control(queue));
	}

	/**
	 * Makes sure that there is a place for what was among the dead letters of a queue and
	 * is no job.
	 * @param queue the OJS queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureUndecodable(String queue) {
		ensure("undecodable " + queue, () -> this.topology.undecodable(queue));
	}

	/**
	 * Makes sure that there is the exchange over which workers reach each other.
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureControlExchange() {
		ensure("control exchange", this.topology::controlExchange);
	}

	/**
	 * Makes sure that other workers can reach this one. Its queue belongs to this process
	 * alone, so it is declared even if somebody else declares the others.
	 * @param workerId tells the process from others
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureWorker(String workerId) {
		this.connection.await(OPENING);
		this.topology.worker(workerId).forEach(this.declaringAdmin::declare);
	}

	/**
	 * How many messages wait in an AMQP queue.
	 * @param name the AMQP queue
	 * @return messages that are ready; 0 if there is no such queue
	 * @throws AmqpException if the broker cannot be reached
	 */
	public long messages(String name) {
		QueueInformation found = this.admin.getQueueInfo(name);
		return (found != null) ? found.getMessageCount() : 0;
	}

	/**
	 * How many consumers an AMQP queue has, whatever programs they are.
	 * @param name the AMQP queue
	 * @return consumers; 0 if there is no such queue
	 * @throws AmqpException if the broker cannot be reached
	 */
	public int consumers(String name) {
		QueueInformation found = this.admin.getQueueInfo(name);
		return (found != null) ? found.getConsumerCount() : 0;
	}

	/**
	 * Makes sure that jobs of a queue can wait in the exchange of the plugin. A broker
	 * that does not have it is asked once: RabbitMQ before 4.0 answers by closing the
	 * connection.
	 * @param queue the OJS queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if it does not have the plugin
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
		// Asked before: there may be no connection afterwards.
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

	/** That it is refused is logged; all else is declared. */
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
	 * Declares everything again on the next use, a second from now at the earliest: the
	 * broker said that something is not there.
	 */
	public void forget() {
		this.pause.begin();
		this.declared.clear();
	}

	/**
	 * What the broker has with other arguments, as far as it was met.
	 * @return by the names of queues and exchanges
	 */
	public List<Drift> drift() {
		return this.declaringAdmin.drift();
	}

	/**
	 * The AMQP queues that this application knows of: those of its queues, and the retry
	 * queues and delay levels that it used since it started. Waits for nobody.
	 * @param further OJS queues that it knows, whether it declared them yet or not
	 * @return what they are for
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
		// Not with the lock: whoever prepares a new connection needs that.
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

	/** On a new connection, before anybody else uses it. */
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
