package io.ojs.amqp.internal.listen;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Moves jobs from the AMQP queue of an OJS queue that is ordered by key to their shards,
 * one after the other. Producers publish there that do not know shards. It settles the
 * deliveries itself.
 */
final class ShardMover implements ChannelAwareMessageListener {

	private static final Logger logger = SafeLogger.of(ShardMover.class);

	private final String queue;

	private final Topology topology;

	private final DeliverySettler settler;

	private final JobRuntime runtime;

	ShardMover(String queue, Topology topology, DeliverySettler settler, JobRuntime runtime) {
		this.queue = queue;
		this.topology = topology;
		this.settler = settler;
		this.runtime = runtime;
	}

	@Override
	public void onMessage(Message message, @Nullable Channel channel) {
		if (channel == null) {
			throw new IllegalStateException("The container works with a channel");
		}
		BrokerDelivery delivery = new BrokerDelivery(Shard.whole(this.queue), channel, message);
		try {
			Job job = this.runtime.messages().read(delivery.properties(), delivery.body()).job();
			Shard shard = this.topology.shardOf(this.queue, job);
			this.settler.move(delivery, shard,
					JobFailure.of(
							new IllegalStateException("No queue is bound for shard '%s'.".formatted(shard.name())), 0,
							this.runtime.clock()));
		}
		catch (Throwable ex) {
			logger.warn("A message in queue '{}' cannot be given to a shard and goes to the dead letter queue. {}",
					this.queue, ForeignText.escape(ex.toString()));
			logger.debug("No shard for the message", ex);
			deadLetter(delivery, ex);
		}
	}

	/** Throws nothing: the consumer holds this one message and would wait forever. */
	private void deadLetter(BrokerDelivery delivery, Throwable thrown) {
		try {
			this.settler.deadLetter(delivery, JobFailure.of(thrown, 0, this.runtime.clock()));
		}
		catch (Throwable ex) {
			logger.error("Message {} from queue '{}' could not be settled and goes to the dead letter queue",
					delivery.shownId(), this.queue, ex);
			this.settler.nack(delivery);
		}
	}

}
