package io.ojs.amqp.internal.publish;

import java.time.Clock;
import java.time.Duration;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.delay.DelayLevels;
import io.ojs.amqp.internal.delay.DelayPlugin;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.Purpose;
import io.ojs.amqp.internal.topology.BrokerVersion;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.client.UnsupportedJobException;
import io.ojs.job.Job;

import org.springframework.amqp.AmqpException;

/**
 * Finds the exchange and routing key of a job and makes sure that they lead to a queue:
 * the job's own queue, or the delay levels if the job is due later.
 */
public final class JobRouter {

	private final TopologyDeclarer declarer;

	private final BrokerVersion broker;

	private final Clock clock;

	public JobRouter(TopologyDeclarer declarer, BrokerVersion broker, Clock clock) {
		this.declarer = declarer;
		this.broker = broker;
		this.clock = clock;
	}

	/**
	 * The route of a job.
	 * @throws UnsupportedJobException if the job is due later than the broker can keep it
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
	 * The route of a job straight to its queue, even if the job says that it is due
	 * later.
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
	 * @return how many, in all of its shards
	 * @throws AmqpException if the broker cannot be reached
	 */
	long waiting(String queue) {
		return queues(queue).mapToLong(this.declarer::messages).sum();
	}

	/**
	 * Counts the consumers of a queue.
	 * @return how many, of all of its shards
	 * @throws AmqpException if the broker cannot be reached
	 */
	int consumers(String queue) {
		return queues(queue).mapToInt(this.declarer::consumers).sum();
	}

	/**
	 * The queue itself, to which producers publish that do not know shards, and its
	 * shards.
	 */
	private Stream<String> queues(String queue) {
		Topology topology = this.declarer.topology();
		return Stream.concat(Stream.of(queue), topology.shards(queue).stream().map(Shard::name))
			.distinct()
			.map(topology.naming()::jobQueue);
	}

	/**
	 * How many messages of a queue a consumer may hold beside the one that it processes.
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
	 * Has everything declared again, since the broker reported a missing queue or
	 * exchange.
	 */
	void forget() {
		this.declarer.forget();
	}

	/**
	 * Where to publish a job.
	 *
	 * @param ordered whether the queue is ordered, so that no job may overtake another
	 * @param delayMillis how long the exchange of the plugin keeps the job; 0 for any
	 * other exchange
	 * @param purpose whether the job goes to its queue or waits
	 */
	record Route(String exchange, String routingKey, boolean ordered, long delayMillis, Purpose purpose) {

		OutgoingMessage message(String queue, BasicProperties properties, byte[] body) {
			// Quorum queues of RabbitMQ 4 apply priorities even if none are declared.
			BasicProperties sent = this.ordered ? properties.builder().priority(null).build() : properties;
			return (this.delayMillis > 0)
					? new OutgoingMessage(this.exchange, this.routingKey, DelayPlugin.delayed(sent, this.delayMillis),
							body, false, queue, this.purpose)
					: new OutgoingMessage(this.exchange, this.routingKey, sent, body, queue, this.purpose);
		}

	}

}
