package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.publish.PublishOutcome;
import io.ojs.amqp.topology.DeclarationRefusedException;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.job.ForeignText;
import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Publishes what follows a delivery, before that is settled.
 *
 * <p>
 * If the broker does not take it, the delivery is held and the publish tried again: a
 * worker that cannot get rid of one job had better not take the next. It ends when the
 * broker takes it, or when the channel of the delivery is gone and the broker hands it
 * out again. A broker that does not answer is waited for and not asked twice, since it
 * may have the message.
 */
final class FollowUps {

	static final long LONGEST_PAUSE_MILLIS = 5000;

	private static final Logger logger = SafeLogger.of(FollowUps.class);

	private static final long FIRST_PAUSE_MILLIS = 100;

	/** The broker's answer to a publish to an exchange that does not exist. */
	private static final int NOT_FOUND = 404;

	private final ConfirmingPublisher publisher;

	private final TopologyDeclarer declarer;

	private final Duration confirmTimeout;

	private final BooleanSupplier stopping;

	FollowUps(ConfirmingPublisher publisher, TopologyDeclarer declarer, Duration confirmTimeout,
			BooleanSupplier stopping) {
		this.publisher = publisher;
		this.declarer = declarer;
		this.confirmTimeout = confirmTimeout;
		this.stopping = stopping;
	}

	/**
	 * Publishes a message until the broker takes it.
	 * @param delivery what it follows
	 * @param message the message
	 * @param declare makes sure that there is somewhere for it to go
	 * @param tries how often it is tried at most
	 * @return how that ended
	 */
	Publishing publish(BrokerDelivery delivery, OutgoingMessage message, Runnable declare, int tries) {
		BackOffExecution pauses = pauses();
		for (int i = 1; !isGone(delivery); i++) {
			PublishOutcome outcome = publishOnce(delivery, message, declare);
			if (outcome instanceof PublishOutcome.Confirmed) {
				return Publishing.CONFIRMED;
			}
			logger.warn("Message {} for '{}' was not taken: {}", ForeignText.show(message.properties().getMessageId()),
					message.exchange(), outcome);
			if (outcome instanceof PublishOutcome.Unsendable) {
				return Publishing.UNSENDABLE;
			}
			if (outcome instanceof PublishOutcome.Returned
					|| (outcome instanceof PublishOutcome.Refused refused && refused.code() == NOT_FOUND)) {
				// Whoever deleted it gets it back before the next one comes.
				this.declarer.forget();
				return Publishing.UNROUTABLE;
			}
			if (i >= tries || outcome instanceof PublishOutcome.Refused) {
				return Publishing.REFUSED;
			}
			if (this.stopping.getAsBoolean()) {
				// Nobody waits for another try, but one there is: the attempt is over.
				return Publishing.GIVEN_UP;
			}
			pause(pauses.nextBackOff());
		}
		return Publishing.GIVEN_UP;
	}

	private PublishOutcome publishOnce(BrokerDelivery delivery, OutgoingMessage message, Runnable declare) {
		try {
			declare.run();
			this.publisher.connection().await(this.confirmTimeout);
			return await(delivery, this.publisher.publish(message));
		}
		catch (AmqpException | DeclarationRefusedException ex) {
			return new PublishOutcome.Unsent(ex);
		}
	}

	/** As long as it takes: asked again, a slow broker would have the message twice. */
	private PublishOutcome await(BrokerDelivery delivery, CompletableFuture<PublishOutcome> outcome) {
		while (!isGone(delivery)) {
			try {
				return outcome.get(this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				logger.warn("What follows message {} from queue '{}' was published and is not confirmed yet",
						delivery.shownId(), delivery.queue());
				if (this.stopping.getAsBoolean()) {
					return new PublishOutcome.Unknown();
				}
			}
			catch (ExecutionException ex) {
				return new PublishOutcome.Lost(ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		return new PublishOutcome.Unknown();
	}

	/** Whether it is no longer ours to settle: the broker hands it out again. */
	private boolean isGone(BrokerDelivery delivery) {
		return delivery.isLost() || Thread.currentThread().isInterrupted();
	}

	private static BackOffExecution pauses() {
		ExponentialBackOff backOff = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
		backOff.setMaxInterval(LONGEST_PAUSE_MILLIS);
		return backOff.start();
	}

	static void pause(long millis) {
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
	enum Publishing {

		/** The broker has it. */
		CONFIRMED,

		/** Nothing leads to where it was sent. */
		UNROUTABLE,

		/** AMQP cannot carry it. */
		UNSENDABLE,

		/** The broker did not take it, as often as it was tried. */
		REFUSED,

		/** The delivery is no longer ours to settle. */
		GIVEN_UP

	}

}
