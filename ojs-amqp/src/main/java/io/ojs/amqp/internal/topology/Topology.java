package io.ojs.amqp.internal.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.Ordering;
import io.ojs.amqp.OrderingKeyResolver;
import io.ojs.amqp.Overflow;
import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.delay.DelayLevels;
import io.ojs.amqp.internal.delay.DelayPlugin;
import io.ojs.amqp.internal.order.ShardHash;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;

/**
 * Describes the exchanges, queues and bindings that the application needs (AMQP binding
 * §4.2, §7). {@link TopologyDeclarer} declares them.
 */
public final class Topology {

	private static final int LONGEST_CONTROL_QUEUE = 100_000;

	private final OjsNaming naming;

	private final Function<String, QueueSettings> settings;

	private final OrderingKeyResolver orderingKeys;

	private final DelayStrategy delays;

	/**
	 * Creates a topology.
	 * @param orderingKeys decide which jobs run one after the other
	 */
	public Topology(OjsNaming naming, Function<String, QueueSettings> settings, OrderingKeyResolver orderingKeys,
			DelayStrategy delays) {
		this.naming = naming;
		this.settings = settings;
		this.orderingKeys = orderingKeys;
		this.delays = delays;
	}

	/**
	 * Creates a topology in which jobs carry their own ordering keys and scheduled jobs
	 * and retries wait in queues.
	 */
	public Topology(OjsNaming naming, Function<String, QueueSettings> settings) {
		this(naming, settings, OrderingKeyResolver.META, DelayStrategy.LEVELS);
	}

	/** Names of exchanges and queues. */
	public OjsNaming naming() {
		return this.naming;
	}

	/** Where scheduled jobs and retries wait. */
	public DelayStrategy delays() {
		return this.delays;
	}

	/** The settings of an OJS queue. */
	public QueueSettings settings(String queue) {
		return this.settings.apply(queue);
	}

	/**
	 * Whether a queue can have a name. Another program may have written a job with a name
	 * that no queue can have into the store.
	 */
	public boolean isPossible(String queue) {
		try {
			settings(queue);
			return true;
		}
		catch (InvalidJobException ex) {
			return false;
		}
	}

	/** The shards of a queue, which workers consume from. */
	public List<Shard> shards(String queue) {
		QueueSettings settings = settings(queue);
		if (settings.ordering() != Ordering.KEY) {
			return List.of(Shard.whole(queue));
		}
		return IntStream.range(0, settings.shards()).mapToObj((number) -> shard(queue, number)).toList();
	}

	private Shard shard(String queue, int number) {
		return new Shard(queue, this.naming.shard(queue, number));
	}

	/**
	 * The shard that a job belongs to. The id of a job without an ordering key serves as
	 * its key, so such jobs are spread over all shards.
	 * @throws InvalidJobException if the ordering key of the job is invalid
	 */
	public Shard shardOf(String queue, Job job) {
		QueueSettings settings = settings(queue);
		if (settings.ordering() != Ordering.KEY) {
			return Shard.whole(queue);
		}
		String key = this.orderingKeys.orderingKey(job);
		return shard(queue, ShardHash.shard((key != null) ? key : job.id(), settings.shards()));
	}

	/** The exchanges that all queues share. */
	List<Declarable> exchanges() {
		return List.of(new DirectExchange(this.naming.directExchange()),
				new DirectExchange(this.naming.deadLetterExchange()), new DirectExchange(this.naming.retryExchange()));
	}

	/**
	 * A job queue with its shards, and its dead letter queue. The dead letter queue is
	 * first, so that it exists before the broker can dead-letter a job.
	 * @return queues and bindings, in the order to declare them
	 */
	public List<Declarable> queue(String queue) {
		QueueSettings settings = settings(queue);
		Queue deadLetters = durable(this.naming.deadLetterQueue(queue),
				Map.of("x-queue-type", settings.kind().argument()));
		Map<String, Object> arguments = forwarding(settings.kind(), this.naming.deadLetterExchange(), queue);
		if (settings.kind() == QueueKind.QUORUM) {
			arguments.put("x-delivery-limit", settings.deliveryLimit());
		}
		// RabbitMQ drops the oldest job by default.
		arguments.put("x-overflow", Overflow.REJECT_PUBLISH.argument());
		if (settings.ordering().isOrdered()) {
			arguments.put("x-single-active-consumer", true);
		}
		arguments.putAll(settings.arguments());
		List<Declarable> declarables = new ArrayList<>();
		declarables.add(deadLetters);
		declarables.add(bind(deadLetters, this.naming.deadLetterExchange(), queue));
		for (Shard shard : all(queue)) {
			Queue jobs = durable(this.naming.jobQueue(shard.name()), arguments);
			declarables.add(jobs);
			declarables.add(bind(jobs, this.naming.directExchange(), shard.name()));
		}
		return declarables;
	}

	/**
	 * The queue itself, to which foreign producers publish, and then its shards.
	 */
	private Set<Shard> all(String queue) {
		Set<Shard> all = new LinkedHashSet<>();
		all.add(Shard.whole(queue));
		all.addAll(shards(queue));
		return all;
	}

	/** A retry queue (AMQP binding §8.2). */
	List<Declarable> retryQueue(Shard shard, long widthMillis) {
		Map<String, Object> arguments = forwarding(kindOfRetryQueues(shard.queue()), this.naming.directExchange(),
				shard.name());
		arguments.put("x-message-ttl", widthMillis);
		Queue retryQueue = durable(this.naming.retryQueue(shard.name(), widthMillis), arguments);
		return List.of(retryQueue,
				bind(retryQueue, this.naming.retryExchange(), this.naming.retryRoutingKey(shard.name(), widthMillis)));
	}

	/**
	 * A retry queue must keep a job while its full job queue refuses it. Only a quorum
	 * queue does: a classic queue removes an expired job without waiting until the job
	 * queue accepts it.
	 */
	private QueueKind kindOfRetryQueues(String queue) {
		QueueSettings settings = settings(queue);
		return settings.isLimited() ? QueueKind.QUORUM : settings.kind();
	}

	/**
	 * The delay levels, from the lowest up, so that the target of each level exists
	 * before messages can expire into it.
	 * @return exchanges, queues and bindings, in the order to declare them
	 */
	List<Declarable> delayLevels(int highest) {
		List<Declarable> levels = new ArrayList<>();
		String below = this.naming.dueExchange();
		levels.add(new TopicExchange(below));
		for (int level = 0; level <= highest; level++) {
			TopicExchange exchange = new TopicExchange(this.naming.delayExchange(level));
			Map<String, Object> arguments = forwarding(QueueKind.QUORUM, below);
			arguments.put("x-message-ttl", 1000L << level);
			Queue queue = durable(this.naming.delayQueue(level), arguments);
			levels.add(exchange);
			levels.add(queue);
			levels.add(bind(queue, exchange.getName(), DelayLevels.bindingKey(level, 1)));
			levels.add(new Binding(below, Binding.DestinationType.EXCHANGE, exchange.getName(),
					DelayLevels.bindingKey(level, 0), null));
			below = exchange.getName();
		}
		return levels;
	}

	/** The bindings from the delay levels to a job queue and its shards. */
	List<Declarable> due(String queue) {
		return all(queue).stream()
			.<Declarable>map((shard) -> new Binding(this.naming.jobQueue(shard.name()), Binding.DestinationType.QUEUE,
					this.naming.dueExchange(), DelayLevels.deliveryKey(shard.name()), null))
			.toList();
	}

	/** The exchange of the plugin that delays messages (AMQP binding §8.4). */
	List<Declarable> delayedExchange() {
		return List.of(new CustomExchange(this.naming.delayedExchange(), DelayPlugin.EXCHANGE_TYPE, true, false,
				Map.of(DelayPlugin.TYPE_ARGUMENT, "direct")));
	}

	/** The bindings from that exchange to a job queue and its shards. */
	List<Declarable> delayed(String queue) {
		return all(queue).stream()
			.<Declarable>map((shard) -> new Binding(this.naming.jobQueue(shard.name()), Binding.DestinationType.QUEUE,
					this.naming.delayedExchange(), shard.name(), null))
			.toList();
	}

	/**
	 * The control queue of an OJS queue (AMQP binding §5.6 to §5.8). Its length is
	 * limited, since there may be no worker to answer requests. It is a classic queue,
	 * since the broker may deliver a request more often than the delivery limit of a
	 * quorum queue allows.
	 */
	List<Declarable> control(String queue) {
		String name = this.naming.controlQueue(queue);
		Queue control = durable(name,
				Map.of("x-queue-type", QueueKind.CLASSIC.argument(), "x-max-length", LONGEST_CONTROL_QUEUE));
		return List.of(control, bind(control, this.naming.directExchange(), name));
	}

	/**
	 * The queue for dead letters of an OJS queue that the job store cannot take in.
	 * @return a queue; publishers reach it by its name
	 */
	List<Declarable> undecodable(String queue) {
		return List.of(durable(this.naming.undecodableQueue(queue),
				Map.of("x-queue-type", settings(queue).kind().argument())));
	}

	/**
	 * The queue of this process, which the broker deletes with its connection, and the
	 * exchange over which workers reach each other.
	 * @return an exchange, a queue and its binding
	 */
	List<Declarable> worker(String workerId) {
		Queue own = new Queue(this.naming.workerQueue(workerId), false, true, true);
		List<Declarable> declared = new ArrayList<>(controlExchange());
		declared.add(own);
		declared.add(bind(own, this.naming.controlExchange(), ""));
		return declared;
	}

	/** The exchange over which workers reach each other. */
	List<Declarable> controlExchange() {
		return List.of(new FanoutExchange(this.naming.controlExchange()));
	}

	private static Map<String, Object> forwarding(QueueKind kind, String exchange, String routingKey) {
		Map<String, Object> arguments = forwarding(kind, exchange);
		arguments.put("x-dead-letter-routing-key", routingKey);
		return arguments;
	}

	private static Map<String, Object> forwarding(QueueKind kind, String exchange) {
		Map<String, Object> arguments = new HashMap<>();
		arguments.put("x-queue-type", kind.argument());
		arguments.put("x-dead-letter-exchange", exchange);
		if (kind == QueueKind.QUORUM) {
			// The broker then removes a dead-lettered message only after the target queue
			// has confirmed it. This requires reject-publish, since drop-head cannot keep
			// a message back.
			arguments.put("x-dead-letter-strategy", "at-least-once");
			arguments.put("x-overflow", "reject-publish");
		}
		return arguments;
	}

	private static Queue durable(String name, Map<String, Object> arguments) {
		return new Queue(name, true, false, false, new HashMap<>(arguments));
	}

	private static Binding bind(Queue queue, String exchange, String routingKey) {
		return new Binding(queue.getName(), Binding.DestinationType.QUEUE, exchange, routingKey, null);
	}

}
