package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.job.internal.ForeignText;
import io.ojs.retry.internal.Backoff;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Publishes the message that follows a delivery, before the delivery is settled.
 *
 * <p>
 * If the broker does not take the message, the worker holds the delivery and publishes
 * again: a worker that cannot pass on one job should not take the next. This ends when
 * the broker takes the message, or when the channel of the delivery is lost and the
 * broker delivers the job again. If the broker does not answer, the worker waits and does
 * not publish again, since the broker may have the message.
 */
final class FollowUps {

	static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

	private static final Logger logger = SafeLogger.of(FollowUps.class);

	private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), LONGEST_PAUSE);

	/** Reply code for a publish to an exchange that does not exist. */
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
	 * @param declare declares the exchange and queue of the message
	 * @param tries how often to try at most
	 */
	Publishing publish(BrokerDelivery delivery, OutgoingMessage message, Runnable declare, int tries) {
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
				// The next try declares a deleted queue or exchange again.
				this.declarer.forget();
				return Publishing.UNROUTABLE;
			}
			if (i >= tries || outcome instanceof PublishOutcome.Refused) {
				return Publishing.REFUSED;
			}
			if (this.stopping.getAsBoolean()) {
				// A stopping worker makes one try, since the attempt is over, but no
				// second one.
				return Publishing.GIVEN_UP;
			}
			Threads.pause(BACKOFF.after(i));
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

	/**
	 * Waits without a limit: a second publish would be a duplicate if the broker is only
	 * slow.
	 */
	private PublishOutcome await(BrokerDelivery delivery, CompletableFuture<PublishOutcome> outcome) {
		while (!isGone(delivery)) {
			try {
				return outcome.get(this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				logger.warn(
						"The retry or dead letter of message {} from queue '{}' was published and is not confirmed yet",
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

	/**
	 * Whether this worker can no longer settle the delivery, since the broker delivers it
	 * again.
	 */
	private boolean isGone(BrokerDelivery delivery) {
		return delivery.isLost() || Thread.currentThread().isInterrupted();
	}

	/**
	 * How publishing a follow-up ended.
	 */
	enum Publishing {

		/** The broker has confirmed the message. */
		CONFIRMED,

		/** No queue is bound for the message. */
		UNROUTABLE,

		/** AMQP cannot carry it. */
		UNSENDABLE,

		/** The broker did not take the message in the allowed number of tries. */
		REFUSED,

		/** This worker can no longer settle the delivery, or it stops. */
		GIVEN_UP

	}

}
