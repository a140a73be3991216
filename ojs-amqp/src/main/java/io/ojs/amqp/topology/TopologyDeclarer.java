package io.ojs.amqp.topology;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Declares what is needed, once, and again on every new connection: a broker that lost
 * its queues gets them back.
 *
 * <p>
 * A queue that exists with other arguments cannot be changed (406). That is reported with
 * both values and the queue is used as it is; nothing is deleted.
 */
public final class TopologyDeclarer implements ConnectionListener {

	private static final Logger logger = LoggerFactory.getLogger(TopologyDeclarer.class);

	private final Topology topology;

	private final AmqpAdmin admin;

	private final Declaration declaration;

	/** What this application was ever asked to declare. */
	private final Set<Entity> wanted = ConcurrentHashMap.newKeySet();

	/** What of it the broker is known to have. */
	private final Set<Entity> declared = ConcurrentHashMap.newKeySet();

	private final ReentrantLock declaring = new ReentrantLock();

	private final SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("ojs-declare-");

	/** Whether a connection went away since everything was last declared. */
	private final AtomicBoolean connectionLost = new AtomicBoolean();

	/**
	 * Creates a declarer.
	 * @param topology what to declare
	 * @param admin how
	 * @param declaration when
	 */
	public TopologyDeclarer(Topology topology, AmqpAdmin admin, Declaration declaration) {
		this.topology = topology;
		this.admin = admin;
		this.declaration = declaration;
		this.executor.setDaemon(true);
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
		queues.forEach((queue) -> this.wanted.add(new Entity(queue, 0)));
		try {
			queues.forEach(this::ensureQueue);
		}
		catch (AmqpException ex) {
			this.connectionLost.set(true);
			logger.warn("The broker cannot be reached yet; queues {} will be declared when it can. {}", queues,
					ex.toString());
		}
	}

	/**
	 * Makes sure that a job queue and its dead letter queue exist.
	 * @param queue the OJS queue
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureQueue(String queue) {
		ensure(Entity.EXCHANGES, this.topology::exchanges);
		ensure(new Entity(queue, 0), () -> this.topology.queue(queue));
	}

	/**
	 * Makes sure that a retry lane exists.
	 * @param queue the OJS queue
	 * @param laneMillis the width of the lane
	 * @throws AmqpException if the broker cannot be reached
	 * @throws DeclarationRefusedException if the broker refuses
	 */
	public void ensureLane(String queue, long laneMillis) {
		ensureQueue(queue);
		ensure(new Entity(queue, laneMillis), () -> this.topology.lane(queue, laneMillis));
	}

	/**
	 * Declares everything again on the next use: the broker said that something is not
	 * there.
	 */
	public void forget() {
		this.declared.clear();
	}

	private void ensure(Entity entity, Supplier<List<Declarable>> declarables) {
		if (this.declaration == Declaration.NONE || this.declared.contains(entity)) {
			return;
		}
		this.wanted.add(entity);
		this.declaring.lock();
		try {
			if (!this.declared.contains(entity)) {
				declarables.get().forEach(this::declare);
				this.declared.add(entity);
			}
		}
		finally {
			this.declaring.unlock();
		}
	}

	private void declare(Declarable declarable) {
		try {
			if (declarable instanceof Queue queue) {
				this.admin.declareQueue(queue);
			}
			else if (declarable instanceof Exchange exchange) {
				this.admin.declareExchange(exchange);
			}
			else {
				this.admin.declareBinding((Binding) declarable);
			}
		}
		catch (AmqpException ex) {
			ShutdownSignalException refusal = refusal(ex);
			if (refusal == null) {
				throw ex;
			}
			if (!refusal.getMessage().contains("inequivalent arg")) {
				throw new DeclarationRefusedException(declarable.toString(), refusal.getMessage(), ex);
			}
			logger.error("The broker has {} with other arguments and uses those; change the configuration to match, "
					+ "or delete it when it is empty. {}", declarable, refusal.getMessage());
		}
	}

	/** What closed the channel, if the broker did, and not the connection. */
	private static @Nullable ShutdownSignalException refusal(AmqpException ex) {
		return (NestedExceptionUtils.getMostSpecificCause(ex) instanceof ShutdownSignalException signal
				&& !signal.isHardError()) ? signal : null;
	}

	@Override
	public void onCreate(Connection connection) {
		if (this.connectionLost.compareAndSet(true, false)) {
			// On a thread of its own: this one holds the connection factory's lock, and
			// whoever
			// declares at this moment holds ours and waits for that one.
			this.executor.execute(this::declareAgain);
		}
	}

	private void declareAgain() {
		this.declared.clear();
		try {
			for (Entity entity : this.wanted) {
				if (entity.laneMillis() > 0) {
					ensureLane(entity.queue(), entity.laneMillis());
				}
				else if (!entity.equals(Entity.EXCHANGES)) {
					ensureQueue(entity.queue());
				}
			}
		}
		catch (AmqpException | DeclarationRefusedException ex) {
			logger.warn("Declaring again on a new connection failed; it is tried on the next use. {}", ex.toString());
		}
	}

	@Override
	public void onClose(Connection connection) {
		this.connectionLost.set(true);
	}

	@Override
	public void onShutDown(ShutdownSignalException signal) {
		this.connectionLost.set(true);
	}

	/**
	 * Something that is declared as a whole.
	 *
	 * @param queue the OJS queue; empty for the exchanges
	 * @param laneMillis the width of a lane; 0 for the queue itself
	 */
	private record Entity(String queue, long laneMillis) {

		static final Entity EXCHANGES = new Entity("", 0);

	}

}
