package io.ojs.amqp.internal.listen;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.DelayStrategy;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.delay.DelayPlugin;
import io.ojs.amqp.internal.delay.RetryQueues;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.Purpose;
import io.ojs.amqp.internal.message.Republishing;
import io.ojs.amqp.internal.observe.ConsumerMetrics;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.amqp.internal.write.WriteCoalescing;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.job.JobError;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Settles deliveries. It acks a message only after the broker has confirmed the message
 * that follows it. So a crash in between duplicates a job but does not lose it (AMQP
 * binding §5.3 to §5.5, with publish before ack). {@link FollowUps} describes how long
 * that may take.
 */
class DeliverySettler {

	private static final Logger logger = SafeLogger.of(DeliverySettler.class);

	/**
	 * After so many tries, the broker moves the dead letter itself, without its error.
	 */
	private static final int DEAD_LETTER_TRIES = 3;

	private final FollowUps followUps;

	private final TopologyDeclarer declarer;

	private final WorkerOptions options;

	private final BooleanSupplier stopping;

	private final ConsumerMetrics metrics;

	private final int acksTogether;

	/**
	 * Creates a settler.
	 * @param acksTogether how many acks may be written together, at most
	 */
	DeliverySettler(ConfirmingPublisher publisher, TopologyDeclarer declarer, WorkerOptions options,
			BooleanSupplier stopping, ConsumerMetrics metrics, int acksTogether) {
		this.followUps = new FollowUps(publisher, declarer, options.confirmTimeout(), stopping);
		this.declarer = declarer;
		this.options = options;
		this.stopping = stopping;
		this.metrics = metrics;
		this.acksTogether = acksTogether;
	}

	/**
	 * Whether the worker stops. An attempt that this interrupts has not failed.
	 * @return whether it stops
	 */
	boolean isStopping() {
		return this.stopping.getAsBoolean();
	}

	/**
	 * Acks a delivery. The ack waits up to a millisecond for others if jobs of the queue
	 * end in quick succession.
	 * @return {@link Settlement#ACKED}, or {@link Settlement#NOT_SETTLED} if the channel
	 * is lost
	 */
	Settlement ack(BrokerDelivery delivery) {
		return ack(delivery, Settlement.ACKED);
	}

	private Settlement ack(BrokerDelivery delivery, Settlement settled) {
		boolean told = tell(delivery, "acked", () -> WriteCoalescing.soon(this.acksTogether,
				() -> delivery.channel().basicAck(delivery.tag(), false)));
		if (told) {
			this.metrics.acked();
		}
		return told ? settled : Settlement.NOT_SETTLED;
	}

	/**
	 * Nacks a delivery, so that the broker moves the job to the dead letter queue.
	 * @return {@link Settlement#DEAD_LETTERED}, or {@link Settlement#NOT_SETTLED} if the
	 * channel is lost
	 */
	Settlement nack(BrokerDelivery delivery) {
		boolean told = tell(delivery, "nacked", () -> delivery.channel().basicNack(delivery.tag(), false, false));
		if (told) {
			this.metrics.nacked();
		}
		return told ? Settlement.DEAD_LETTERED : Settlement.NOT_SETTLED;
	}

	private static boolean tell(BrokerDelivery delivery, String what, Settling settling) {
		try {
			if (delivery.isLost()) {
				throw new AmqpException("the channel is closed");
			}
			settling.run();
			return true;
		}
		catch (IOException | RuntimeException ex) {
			// The channel is closed. The type of the exception varies.
			logger.warn("Message {} from queue '{}' could not be {} and will be delivered again: {}",
					delivery.shownId(), delivery.queue(), what, ex.toString());
			return false;
		}
	}

	/**
	 * Has a job run again after a delay. If no retry queue is bound for the delay, the
	 * next wider one is used; if none is bound, the job becomes a dead letter.
	 */
	Settlement retry(BrokerDelivery delivery, int nextAttempt, JobFailure failure, Duration delay) {
		JobError error = failure.error();
		FollowUps.Publishing published = delay(delivery, delay, (millis) -> Republishing.forRetry(delivery.properties(),
				nextAttempt, error, millis, delivery.frameMax()));
		if (published != FollowUps.Publishing.UNROUTABLE) {
			return settle(delivery, published, failure);
		}
		return deadLetter(delivery,
				failure.with(new JobError(error.type(), error.code(),
						error.message() + " (Not tried again: no retry queue of queue '" + delivery.queue() + "' for "
								+ delay + " is bound to " + this.declarer.topology().naming().retryExchange() + ".)",
						error.attempt(), error.occurredAt(), error.backtrace(), error.details(), error.causes())));
	}

	/**
	 * Has the message of a job in the job store wait in a retry queue. If the broker does
	 * not take it, the relay publishes a new message when the job is due.
	 * @param properties the properties of the message, by its expiration in milliseconds
	 */
	Settlement postpone(BrokerDelivery delivery, Duration delay, LongFunction<BasicProperties> properties) {
		FollowUps.Publishing published = delay(delivery, delay, properties);
		return (published != FollowUps.Publishing.GIVEN_UP) ? ack(delivery, Settlement.RETRIED)
				: Settlement.NOT_SETTLED;
	}

	/**
	 * Has a job whose attempt has not begun wait in a retry queue for another worker. If
	 * no retry queue is bound, the job becomes a dead letter.
	 * @param properties the properties of the message, by its expiration in milliseconds
	 */
	void passOn(BrokerDelivery delivery, Duration delay, LongFunction<BasicProperties> properties,
			JobFailure ifUnroutable) {
		FollowUps.Publishing published = delay(delivery, delay, properties);
		if (published == FollowUps.Publishing.UNROUTABLE) {
			deadLetter(delivery, ifUnroutable);
			return;
		}
		settle(delivery, published, ifUnroutable);
	}

	private FollowUps.Publishing delay(BrokerDelivery delivery, Duration delay,
			LongFunction<BasicProperties> properties) {
		OjsNaming naming = this.declarer.topology().naming();
		if (this.declarer.topology().delays() == DelayStrategy.PLUGIN && hasDelayedExchange(delivery)) {
			long millis = Math.max(1, DelayPlugin.millis(delay));
			BasicProperties delayed = DelayPlugin.delayed(properties.apply(millis).builder().expiration(null).build(),
					millis);
			OutgoingMessage message = new OutgoingMessage(naming.delayedExchange(), delivery.shard().name(), delayed,
					delivery.body(), false, delivery.queue(), Purpose.RETRY);
			FollowUps.Publishing published = this.followUps.publish(delivery, message,
					() -> this.declarer.ensureDelayed(delivery.queue()), Integer.MAX_VALUE);
			// A retry queue would not help.
			return (published == FollowUps.Publishing.UNROUTABLE) ? FollowUps.Publishing.REFUSED : published;
		}
		for (long width : RetryQueues.from(delay)) {
			OutgoingMessage message = new OutgoingMessage(naming.retryExchange(),
					naming.retryRoutingKey(delivery.shard().name(), width), properties.apply(RetryQueues.millis(delay)),
					delivery.body(), delivery.queue(), Purpose.RETRY);
			FollowUps.Publishing published = this.followUps.publish(delivery, message,
					() -> this.declarer.ensureRetryQueue(delivery.shard(), width), Integer.MAX_VALUE);
			if (published != FollowUps.Publishing.UNROUTABLE) {
				return published;
			}
		}
		return FollowUps.Publishing.UNROUTABLE;
	}

	private Settlement settle(BrokerDelivery delivery, FollowUps.Publishing published, JobFailure failure) {
		return switch (published) {
			case CONFIRMED -> ack(delivery, Settlement.RETRIED);
			case UNSENDABLE, UNROUTABLE, REFUSED -> deadLetter(delivery, failure);
			case GIVEN_UP -> Settlement.NOT_SETTLED;
		};
	}

	/**
	 * Whether the plugin can delay the retry. If not, it waits in a retry queue, so that
	 * the failed job does not hold up others.
	 */
	private boolean hasDelayedExchange(BrokerDelivery delivery) {
		try {
			this.declarer.ensureDelayed(delivery.queue());
			return true;
		}
		catch (DeclarationRefusedException ex) {
			return false;
		}
		catch (AmqpException ex) {
			// Not known yet. The publish waits until it is.
			return true;
		}
	}

	/**
	 * Makes a job a dead letter. AMQP cannot add an error to a nacked message, so the
	 * worker publishes the message with its error to the dead letter exchange. If the
	 * broker takes no publish, the worker nacks the delivery, and the broker moves the
	 * message without the error.
	 */
	Settlement deadLetter(BrokerDelivery delivery, JobFailure failure) {
		if (this.options.deadLetters() == DeadLettering.NACK) {
			return nack(delivery);
		}
		OutgoingMessage message = new OutgoingMessage(this.declarer.topology().naming().deadLetterExchange(),
				delivery.queue(),
				Republishing.forDeadLetter(delivery.properties(), failure, delivery.routingKey(), delivery.frameMax()),
				delivery.body(), delivery.queue(), Purpose.DEAD_LETTER);
		FollowUps.Publishing published = publishToDeadLetters(delivery, message);
		return switch (published) {
			case CONFIRMED -> ack(delivery, Settlement.DEAD_LETTERED);
			case UNROUTABLE, UNSENDABLE, REFUSED -> nack(delivery);
			case GIVEN_UP -> Settlement.NOT_SETTLED;
		};
	}

	/**
	 * Publishes once more if no queue was bound, since the queue is then declared again.
	 * If that fails, a quorum queue keeps a nacked message that it cannot move. A classic
	 * queue would drop it, so the worker holds the delivery until the dead letter queue
	 * is bound again.
	 */
	private FollowUps.Publishing publishToDeadLetters(BrokerDelivery delivery, OutgoingMessage message) {
		boolean mayNack = this.declarer.topology().settings(delivery.queue()).kind() == QueueKind.QUORUM;
		FollowUps.Publishing published = FollowUps.Publishing.UNROUTABLE;
		for (int i = 0; published == FollowUps.Publishing.UNROUTABLE && (i < 2 || !mayNack); i++) {
			if (i >= 2) {
				if (isStopping()) {
					return FollowUps.Publishing.GIVEN_UP;
				}
				Threads.pause(FollowUps.LONGEST_PAUSE);
			}
			published = this.followUps.publish(delivery, message, () -> this.declarer.ensureQueue(delivery.queue()),
					DEAD_LETTER_TRIES);
		}
		return published;
	}

	/**
	 * Moves a job to its shard, and returns when the shard has it, so that jobs keep
	 * their order. If the shard is still not bound after it was declared again, the job
	 * becomes a dead letter.
	 */
	void move(BrokerDelivery delivery, Shard shard, JobFailure ifUnroutable) {
		OutgoingMessage message = new OutgoingMessage(this.declarer.topology().naming().directExchange(), shard.name(),
				Republishing.forMove(delivery.properties()), delivery.body());
		FollowUps.Publishing published = FollowUps.Publishing.UNROUTABLE;
		for (int i = 0; i < 2 && published == FollowUps.Publishing.UNROUTABLE; i++) {
			published = this.followUps.publish(delivery, message, () -> this.declarer.ensureQueue(delivery.queue()),
					Integer.MAX_VALUE);
		}
		switch (published) {
			case CONFIRMED -> ack(delivery);
			case UNROUTABLE -> deadLetter(delivery, ifUnroutable);
			case UNSENDABLE, REFUSED -> nack(delivery);
			default -> logger.debug("Message {} was not moved and will be delivered again", delivery.shownId());
		}
	}

	/**
	 * Where a delivery went.
	 */
	enum Settlement {

		/** Nowhere: it is acked. */
		ACKED,

		/** Into a retry queue. */
		RETRIED,

		/** Into the dead letter queue. */
		DEAD_LETTERED,

		/** Nowhere: the broker delivers it again. */
		NOT_SETTLED

	}

	@FunctionalInterface
	private interface Settling {

		void run() throws IOException;

	}

}
