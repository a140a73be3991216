package io.ojs.amqp.publish;

import java.time.Clock;
import java.time.Duration;

import io.ojs.amqp.delay.DelayLevels;
import io.ojs.amqp.topology.BrokerVersion;
import io.ojs.amqp.topology.OjsNaming;
import io.ojs.amqp.topology.Shard;
import io.ojs.amqp.topology.Topology;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.client.UnsupportedJobException;
import io.ojs.job.Job;

import org.springframework.amqp.AmqpException;

/**
 * Knows where a job is published to, and makes sure that it leads somewhere: straight
 * into its queue, or through the delay levels if it is due later.
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
		long seconds = (job.scheduledAt() != null)
				? DelayLevels.seconds(Duration.between(this.clock.instant(), job.scheduledAt().toInstant())) : 0;
		if (seconds == 0) {
			this.declarer.ensureQueue(job.queue());
			return new Route(naming.directExchange(), shard.name(), ordered);
		}
		int highest = this.broker.isAtLeast(3, 11) ? DelayLevels.HIGHEST : DelayLevels.HIGHEST_BEFORE_3_11;
		if (DelayLevels.level(seconds) > highest) {
			throw new UnsupportedJobException("scheduled_at",
					"this broker can hold a job back for at most %d days, and %s is further ahead."
						.formatted(DelayLevels.longest(highest).toDays(), job.scheduledAt()));
		}
		this.declarer.ensureDelays(job.queue(), highest);
		return new Route(naming.delayExchange(DelayLevels.level(seconds)),
				DelayLevels.routingKey(shard.name(), seconds), ordered);
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
	 */
	record Route(String exchange, String routingKey, boolean ordered) {
	}

}
