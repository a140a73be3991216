package io.ojs.amqp.listen;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.AlreadyClosedException;
import io.ojs.amqp.delay.Lanes;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.message.Republishing;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.publish.PublishOutcome;
import io.ojs.amqp.topology.OjsNaming;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.job.JobError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Settles deliveries. A message is acked only once what follows it is confirmed, so a
 * crash in between repeats it and cannot lose it (AMQP binding §5.3 to §5.5, with publish
 * before ack).
 *
 * <p>
 * If the broker does not take what follows, the delivery is held and the publish tried
 * again: a worker that cannot get rid of one job had better not take the next. It ends
 * when the broker takes it, or when the channel of the delivery is gone and the broker
 * hands it out again.
 */
final class DeliverySettler {

	private static final Logger logger = LoggerFactory.getLogger(DeliverySettler.class);

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final long LONGEST_PAUSE_MILLIS = 5000;

	/**
	 * After so many, let the broker move the dead letter by itself, without its reason.
	 */
	private static final int DEAD_LETTER_TRIES = 3;

	private final ConfirmingPublisher publisher;

	private final TopologyDeclarer declarer;

	private final Duration confirmTimeout;

	private final BooleanSupplier stopping;

	DeliverySettler(ConfirmingPublisher publisher, TopologyDeclarer declarer, Duration confirmTimeout,
			BooleanSupplier stopping) {
		this.publisher = publisher;
		this.declarer = declarer;
		this.confirmTimeout = confirmTimeout;
		this.stopping = stopping;
	}

	/**
	 * Whether the worker stops. What is cut off by that has not failed.
	 * @return whether it stops
	 */
	boolean isStopping() {
		return this.stopping.getAsBoolean();
	}

	/**
	 * The job is done with.
	 * @return whether the broker was told; otherwise it hands the job out again
	 */
	boolean ack(Delivery delivery) {
		try {
			delivery.channel().basicAck(delivery.tag(), false);
			return true;
		}
		catch (IOException | AlreadyClosedException ex) {
			logger.warn("Message {} from queue '{}' could not be acked and will be delivered again: {}",
					delivery.properties().getMessageId(), delivery.queue(), ex.toString());
			return false;
		}
	}

	/**
	 * The job runs again after a delay.
	 * @return whether it waits in its lane; otherwise the broker hands this delivery out
	 * again
	 */
	boolean retry(Delivery delivery, int nextAttempt, JobError error, Duration delay) {
		long lane = Lanes.laneFor(delay);
		OjsNaming naming = this.declarer.topology().naming();
		OutgoingMessage message = new OutgoingMessage(naming.retryExchange(),
				naming.retryRoutingKey(delivery.queue(), lane),
				Republishing.forRetry(delivery.properties(), nextAttempt, error, Lanes.millis(delay)), delivery.body());
		Publishing published = publishUntilConfirmed(delivery, message,
				() -> this.declarer.ensureLane(delivery.queue(), lane), Integer.MAX_VALUE);
		return published == Publishing.CONFIRMED && ack(delivery);
	}

	/**
	 * The job is a dead letter. AMQP cannot add the reason to a message that is nacked,
	 * so it is published to the dead letter exchange with its reason; only if the broker
	 * takes no publish is it nacked, and goes the same way without.
	 * @return whether it is on its way there; otherwise the broker hands this delivery
	 * out again
	 */
	boolean deadLetter(Delivery delivery, JobError error) {
		OutgoingMessage message = new OutgoingMessage(this.declarer.topology().naming().deadLetterExchange(),
				delivery.queue(), Republishing.forDeadLetter(delivery.properties(), error), delivery.body());
		Publishing published = publishUntilConfirmed(delivery, message,
				() -> this.declarer.ensureQueue(delivery.queue()), DEAD_LETTER_TRIES);
		return switch (published) {
			case CONFIRMED -> ack(delivery);
			case REFUSED -> nack(delivery);
			case GIVEN_UP -> false;
		};
	}

	private static boolean nack(Delivery delivery) {
		try {
			delivery.channel().basicNack(delivery.tag(), false, false);
			return true;
		}
		catch (IOException | AlreadyClosedException ex) {
			logger.warn("Message {} from queue '{}' could not be nacked and will be delivered again: {}",
					delivery.properties().getMessageId(), delivery.queue(), ex.toString());
			return false;
		}
	}

	private Publishing publishUntilConfirmed(Delivery delivery, OutgoingMessage message, Runnable declare, int tries) {
		BackOffExecution pauses = pauses();
		for (int i = 1; !delivery.isLost(); i++) {
			if (publish(message, declare)) {
				return Publishing.CONFIRMED;
			}
			if (isStopping() || Thread.currentThread().isInterrupted()) {
				return Publishing.GIVEN_UP;
			}
			if (i >= tries) {
				return Publishing.REFUSED;
			}
			pause(pauses.nextBackOff());
		}
		return Publishing.GIVEN_UP;
	}

	private boolean publish(OutgoingMessage message, Runnable declare) {
		try {
			declare.run();
			PublishOutcome outcome = this.publisher.publish(message)
				.get(this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS);
			if (outcome instanceof PublishOutcome.Confirmed) {
				return true;
			}
			if (outcome instanceof PublishOutcome.Returned) {
				this.declarer.forget();
			}
			logger.warn("Message {} for '{}' was not taken: {}", message.properties().getMessageId(),
					message.exchange(), outcome);
		}
		catch (AmqpException | ExecutionException | TimeoutException ex) {
			logger.warn("Message {} for '{}' was not confirmed: {}", message.properties().getMessageId(),
					message.exchange(), ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

	private static BackOffExecution pauses() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
		backOff.setMaxInterval(LONGEST_PAUSE_MILLIS);
		return backOff.start();
	}

	private static void pause(long millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * How an attempt to publish what follows a delivery ended.
	 */
	private enum Publishing {

		/** The broker has it. */
		CONFIRMED,

		/** The broker did not take it, as often as it was tried. */
		REFUSED,

		/** The delivery is no longer ours to settle: the broker hands it out again. */
		GIVEN_UP

	}

}
