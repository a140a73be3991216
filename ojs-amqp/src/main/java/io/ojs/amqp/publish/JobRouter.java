package io.ojs.amqp.publish;

import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.delay.DelayLevels;
import io.ojs.amqp.delay.DelayPlugin;
import io.ojs.amqp.delay.DelayStrategy;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.message.Purpose;
import io.ojs.amqp.topology.BrokerVersion;
import io.ojs.amqp.topology.OjsNaming;
import io.ojs.amqp.topology.QueueSettings;
import io.ojs.amqp.topology.Shard;
import io.ojs.amqp.topology.Topology;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.client.UnsupportedJobException;
import io.ojs.job.Job;

import org.springframework.amqp.AmqpException;

/**
 * Knows where a job is published to, and makes sure that it leads somewhere: straight
 * into its queue, or to where it waits if it is due later.
 */
public final class JobRouter {

	private final TopologyDeclarer declarer;

	private final BrokerVersion broker;

	private final Clock clock;

	/**
	 * Creates a router.
	 * @param declarer makes sure that things exist
	 * @param broker tells how long a delay can be
	 * @param clock tells how long a delay is
	 */
	public JobRouter(TopologyDeclarer declarer, BrokerVersion broker, Clock clock) {
		this.declarer = declarer;
		this.broker = broker;
		this.clock = clock;
	}

	/**
	 * Finds the way.
	 * @param job the job
	 * @return where to publish it
	 * @throws UnsupportedJobException if it is due later than the broker can keep it
	 * @throws AmqpException if the broker cannot be reached
	 */
	Route route(Job job) {
		Topology topology = this.declarer.topology();
		OjsNaming naming = topology.naming();
		Shard shard = topology.shardOf(job.queue(), job);
		boolean ordered = topology.settings(job.queue()).ordering().isOrdered();
		Duration delay = (job.scheduledAt() != null)
				? Duration.between(this.clock.instant(), job.scheduledAt().toInstant()) : Duration.ZERO;
		if (topology.delays() == DelayStrategy.PLUGIN && DelayPlugin.millis(delay) > 0) {
			checkDelay(job, delay, DelayPlugin.LONGEST);
			this.declarer.ensureDelayed(job.queue());
			return new Route(naming.delayedExchange(), shard.name(), ordered, DelayPlugin.millis(delay),
					Purpose.SCHEDULED);
		}
		long seconds = DelayLevels.seconds(delay);
		if (seconds == 0) {
			return routeNow(job);
		}
		int highest = this.broker.isAtLeast(3, 11) ? DelayLevels.HIGHEST : DelayLevels.HIGHEST_BEFORE_3_11;
		checkDelay(job, Duration.ofSeconds(seconds), DelayLevels.longest(highest));
		this.declarer.ensureDelays(job.queue(), highest);
		return new Route(naming.delayExchange(DelayLevels.level(seconds)),
				DelayLevels.routingKey(shard.name(), seconds), ordered, 0, Purpose.SCHEDULED);
	}

	/**
	 * Finds the way of a job that is due, whatever it says.
	 * @param job the job
	 * @return where to publish it
	 * @throws AmqpException if the broker cannot be reached
	 */
	Route routeNow(Job job) {
		Topology topology = this.declarer.topology();
		this.declarer.ensureQueue(job.queue());
		return new Route(topology.naming().directExchange(), topology.shardOf(job.queue(), job).name(),
				topology.settings(job.queue()).ordering().isOrdered(), 0, Purpose.JOB);
	}

	/**
	 * Counts the messages of a queue that wait to be delivered.
	 * @param queue the OJS queue
	 * @return how many, in all of its shards
	 * @throws AmqpException if the broker cannot be reached
	 */
	long waiting(String queue) {
		return queues(queue).mapToLong(this.declarer::messages).sum();
	}

	/**
	 * Counts the consumers of a queue.
	 * @param queue the OJS queue
	 * @return how many, of all of its shards
	 * @throws AmqpException if the broker cannot be reached
	 */
	int consumers(String queue) {
		return queues(queue).mapToInt(this.declarer::consumers).sum();
	}

	/** What came from producers who know nothing of shards is in the queue itself. */
	private Stream<String> queues(String queue) {
		Topology topology = this.declarer.topology();
		return Stream.concat(Stream.of(queue), topology.shards(queue).stream().map(Shard::name))
			.distinct()
			.map(topology.naming()::jobQueue);
	}

	/**
	 * How many messages of a queue a consumer may have beside the one that it works on.
	 * @param queue the OJS queue
	 * @return how many at most
	 */
	int prefetched(String queue) {
		QueueSettings settings = this.declarer.topology().settings(queue);
		return settings.ordering().isOrdered() ? 0 : settings.prefetch() - 1;
	}

	private static void checkDelay(Job job, Duration delay, Duration longest) {
		if (delay.compareTo(longest) > 0) {
			throw new UnsupportedJobException("scheduled_at",
					"this broker can hold a job back for at most %d days, and %s is further ahead."
						.formatted(longest.toDays(), job.scheduledAt()));
		}
	}

	/**
	 * The broker said that a way led nowhere: look at all of them again.
	 */
	void forget() {
		this.declarer.forget();
	}

	/**
	 * Where to publish.
	 *
	 * @param exchange the exchange
	 * @param routingKey the routing key
	 * @param ordered whether the queue keeps jobs in their order, so that none may
	 * overtake
	 * @param delayMillis how long the exchange is to keep it, if it is that of the plugin
	 * @param purpose whether it goes straight or waits
	 */
	record Route(String exchange, String routingKey, boolean ordered, long delayMillis, Purpose purpose) {

		OutgoingMessage message(String queue, BasicProperties properties, byte[] body) {
			// Quorum queues of RabbitMQ 4 obey a priority without being asked to.
			BasicProperties sent = this.ordered ? properties.builder().priority(null).build() : properties;
			return (this.delayMillis > 0)
					? new OutgoingMessage(this.exchange, this.routingKey, DelayPlugin.delayed(sent, this.delayMillis),
							body, false, queue, this.purpose)
					: new OutgoingMessage(this.exchange, this.routingKey, sent, body, queue, this.purpose);
		}

	}

}
