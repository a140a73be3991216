package io.ojs.amqp.listen;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.delay.DelayPlugin;
import io.ojs.amqp.delay.DelayStrategy;
import io.ojs.amqp.delay.RetryQueues;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.message.Purpose;
import io.ojs.amqp.message.Republishing;
import io.ojs.amqp.observe.ConsumerMetrics;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.topology.DeclarationRefusedException;
import io.ojs.amqp.topology.OjsNaming;
import io.ojs.amqp.topology.QueueKind;
import io.ojs.amqp.topology.Shard;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.amqp.write.WriteCoalescing;
import io.ojs.handler.JobFailure;
import io.ojs.job.JobError;
import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Settles deliveries. A message is acked only once what follows it is confirmed, so a
 * crash in between repeats it and cannot lose it (AMQP binding §5.3 to §5.5, with publish
 * before ack). {@link FollowUps} says how long that may take.
 */
class DeliverySettler {

	private static final Logger logger = SafeLogger.of(DeliverySettler.class);

	/**
	 * After so many, let the broker move the dead letter by itself, without its reason.
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
	 * Whether the worker stops. What is cut off by that has not failed.
	 * @return whether it stops
	 */
	boolean isStopping() {
		return this.stopping.getAsBoolean();
	}

	/**
	 * The job is done with. While others of its queue end too, the broker hears of it
	 * within a millisecond.
	 * @return {@link Settlement#ACKED}, unless the broker could not be told
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
	 * The broker moves the job to the dead letter queue by itself.
	 * @return {@link Settlement#DEAD_LETTERED}, unless the broker could not be told
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
			// The channel is closed; what exactly is thrown depends on who noticed first.
			logger.warn("Message {} from queue '{}' could not be {} and will be delivered again: {}",
					delivery.shownId(), delivery.queue(), what, ex.toString());
			return false;
		}
	}

	/**
	 * The job runs again after a delay. If nothing leads to the retry queue, the next
	 * wider one is taken; without any, the job is a dead letter.
	 * @return where the delivery went
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
						error.attempt(), error.occurredAt(), error.backtrace(), error.details())));
	}

	/**
	 * The job is in the job store and waits for a time: its message waits in a retry
	 * queue. If the broker does not take it, the relay makes another one when it is time.
	 * @param delivery the delivery
	 * @param delay how long
	 * @param properties what the message gets, by its expiration in milliseconds
	 * @return where the delivery went
	 */
	Settlement postpone(BrokerDelivery delivery, Duration delay, LongFunction<BasicProperties> properties) {
		FollowUps.Publishing published = delay(delivery, delay, properties);
		return (published != FollowUps.Publishing.GIVEN_UP) ? ack(delivery, Settlement.RETRIED)
				: Settlement.NOT_SETTLED;
	}

	/**
	 * The job waits in a retry queue for somebody else, and its attempt has not begun. If
	 * nothing leads there, it is a dead letter.
	 * @param delivery the delivery
	 * @param delay how long
	 * @param properties what the message gets, by its expiration in milliseconds
	 * @param ifUnroutable what is said of it then
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
			// No retry queue would have helped.
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
	 * Without it, retries wait in retry queues: a job that failed must not hold up the
	 * others.
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
			// Not known yet; what is published waits until it is.
			return true;
		}
	}

	/**
	 * The job is a dead letter. AMQP cannot add the reason to a message that is nacked,
	 * so it is published to the dead letter exchange with its reason; only if the broker
	 * takes no publish is it nacked, and goes the same way without.
	 * @return where the delivery went
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
	 * Once more if it led nowhere, since the queue has been declared again then. A quorum
	 * queue keeps a nacked message that it cannot move; a classic one drops it, so there
	 * the delivery is held until somebody mends it.
	 */
	private FollowUps.Publishing publishToDeadLetters(BrokerDelivery delivery, OutgoingMessage message) {
		boolean mayNack = this.declarer.topology().settings(delivery.queue()).kind() == QueueKind.QUORUM;
		FollowUps.Publishing published = FollowUps.Publishing.UNROUTABLE;
		for (int i = 0; published == FollowUps.Publishing.UNROUTABLE && (i < 2 || !mayNack); i++) {
			if (i >= 2) {
				if (isStopping()) {
					return FollowUps.Publishing.GIVEN_UP;
				}
				FollowUps.pause(FollowUps.LONGEST_PAUSE_MILLIS);
			}
			published = this.followUps.publish(delivery, message, () -> this.declarer.ensureQueue(delivery.queue()),
					DEAD_LETTER_TRIES);
		}
		return published;
	}

	/**
	 * The job goes on to the shard that it belongs to, and the next one not before it is
	 * there. If nothing leads there although it was declared again, it is a dead letter.
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

		/** The job is done with. */
		ACKED,

		/** Into a retry queue. */
		RETRIED,

		/** To the dead letter queue. */
		DEAD_LETTERED,

		/** Nowhere: the broker hands it out again. */
		NOT_SETTLED

	}

	/**
	 * Tells the broker.
	 */
	@FunctionalInterface
	private interface Settling {

		void run() throws IOException;

	}

}
