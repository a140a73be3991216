package io.ojs.amqp.listen;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.delay.DelayPlugin;
import io.ojs.amqp.delay.DelayStrategy;
import io.ojs.amqp.delay.Lanes;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.message.Purpose;
import io.ojs.amqp.message.Republishing;
import io.ojs.amqp.observe.ConsumerMetrics;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.publish.PublishOutcome;
import io.ojs.amqp.topology.DeclarationRefusedException;
import io.ojs.amqp.topology.OjsNaming;
import io.ojs.amqp.topology.QueueKind;
import io.ojs.amqp.topology.Shard;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.handler.JobFailure;
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
 * hands it out again. A broker that does not answer is waited for and not asked twice,
 * since it may have the message.
 */
final class DeliverySettler {

	private static final Logger logger = LoggerFactory.getLogger(DeliverySettler.class);

	private static final long FIRST_PAUSE_MILLIS = 100;

	private static final long LONGEST_PAUSE_MILLIS = 5000;

	/**
	 * After so many, let the broker move the dead letter by itself, without its reason.
	 */
	private static final int DEAD_LETTER_TRIES = 3;

	/** The broker's answer to a publish to an exchange that does not exist. */
	private static final int NOT_FOUND = 404;

	private final ConfirmingPublisher publisher;

	private final TopologyDeclarer declarer;

	private final WorkerOptions options;

	private final BooleanSupplier stopping;

	private final ConsumerMetrics metrics;

	DeliverySettler(ConfirmingPublisher publisher, TopologyDeclarer declarer, WorkerOptions options,
			BooleanSupplier stopping, ConsumerMetrics metrics) {
		this.publisher = publisher;
		this.declarer = declarer;
		this.options = options;
		this.stopping = stopping;
		this.metrics = metrics;
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
		boolean told = tell(delivery, "acked", () -> delivery.channel().basicAck(delivery.tag(), false));
		if (told) {
			this.metrics.acked();
		}
		return told;
	}

	/**
	 * The broker moves the job to the dead letter queue by itself.
	 * @return whether the broker was told; otherwise it hands the job out again
	 */
	boolean nack(Delivery delivery) {
		boolean told = tell(delivery, "nacked", () -> delivery.channel().basicNack(delivery.tag(), false, false));
		if (told) {
			this.metrics.nacked();
		}
		return told;
	}

	private static boolean tell(Delivery delivery, String what, Settling settling) {
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
					delivery.properties().getMessageId(), delivery.queue(), what, ex.toString());
			return false;
		}
	}

	/**
	 * The job runs again after a delay. If nothing leads to the lane, the next wider one
	 * is taken; without any, the job is a dead letter.
	 * @return where the delivery went
	 */
	Settlement retry(Delivery delivery, int nextAttempt, JobFailure failure, Duration delay) {
		JobError error = failure.error();
		OjsNaming naming = this.declarer.topology().naming();
		if (this.declarer.topology().delays() == DelayStrategy.PLUGIN && hasDelayedExchange(delivery)) {
			long millis = Math.max(1, DelayPlugin.millis(delay));
			BasicProperties properties = DelayPlugin
				.delayed(Republishing.forRetry(delivery.properties(), nextAttempt, error, millis, delivery.frameMax())
					.builder()
					.expiration(null)
					.build(), millis);
			OutgoingMessage message = new OutgoingMessage(naming.delayedExchange(), delivery.shard().name(), properties,
					delivery.body(), false, delivery.queue(), Purpose.RETRY);
			return settle(delivery, publishUntilTaken(delivery, message,
					() -> this.declarer.ensureDelayed(delivery.queue()), Integer.MAX_VALUE), failure);
		}
		for (long lane : Lanes.from(delay)) {
			OutgoingMessage message = new OutgoingMessage(naming.retryExchange(),
					naming.retryRoutingKey(delivery.shard().name(), lane), Republishing.forRetry(delivery.properties(),
							nextAttempt, error, Lanes.millis(delay), delivery.frameMax()),
					delivery.body(), delivery.queue(), Purpose.RETRY);
			Publishing published = publishUntilTaken(delivery, message,
					() -> this.declarer.ensureLane(delivery.shard(), lane), Integer.MAX_VALUE);
			if (published != Publishing.UNROUTABLE) {
				return settle(delivery, published, failure);
			}
		}
		return deadLetter(delivery,
				failure.with(new JobError(error.type(), error.code(),
						error.message() + " (Not tried again: no retry lane of queue '" + delivery.queue() + "' for "
								+ delay + " is bound to " + naming.retryExchange() + ".)",
						error.attempt(), error.occurredAt(), error.backtrace(), error.details())));
	}

	private Settlement settle(Delivery delivery, Publishing published, JobFailure failure) {
		return switch (published) {
			case CONFIRMED -> ack(delivery) ? Settlement.RETRIED : Settlement.NOT_SETTLED;
			case UNSENDABLE, UNROUTABLE, REFUSED -> deadLetter(delivery, failure);
			case GIVEN_UP -> Settlement.NOT_SETTLED;
		};
	}

	/**
	 * Without it, retries wait in lanes: a job that failed must not hold up the others.
	 */
	private boolean hasDelayedExchange(Delivery delivery) {
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
	Settlement deadLetter(Delivery delivery, JobFailure failure) {
		if (this.options.deadLetters() == DeadLettering.NACK) {
			return nack(delivery) ? Settlement.DEAD_LETTERED : Settlement.NOT_SETTLED;
		}
		OutgoingMessage message = new OutgoingMessage(this.declarer.topology().naming().deadLetterExchange(),
				delivery.queue(),
				Republishing.forDeadLetter(delivery.properties(), failure, delivery.routingKey(), delivery.frameMax()),
				delivery.body(), delivery.queue(), Purpose.DEAD_LETTER);
		Publishing published = publishToDeadLetters(delivery, message);
		boolean settled = switch (published) {
			case CONFIRMED -> ack(delivery);
			case UNROUTABLE, UNSENDABLE, REFUSED -> nack(delivery);
			case GIVEN_UP -> false;
		};
		return settled ? Settlement.DEAD_LETTERED : Settlement.NOT_SETTLED;
	}

	/**
	 * Once more if it led nowhere, since the queue has been declared again then. A quorum
	 * queue keeps a nacked message that it cannot move; a classic one drops it, so there
	 * the delivery is held until somebody mends it.
	 */
	private Publishing publishToDeadLetters(Delivery delivery, OutgoingMessage message) {
		boolean mayNack = this.declarer.topology().settings(delivery.queue()).kind() == QueueKind.QUORUM;
		Publishing published = Publishing.UNROUTABLE;
		for (int i = 0; published == Publishing.UNROUTABLE && (i < 2 || !mayNack); i++) {
			if (i >= 2) {
				if (isStopping()) {
					return Publishing.GIVEN_UP;
				}
				pause(LONGEST_PAUSE_MILLIS);
			}
			published = publishUntilTaken(delivery, message, () -> this.declarer.ensureQueue(delivery.queue()),
					DEAD_LETTER_TRIES);
		}
		return published;
	}

	/**
	 * The job goes on to the shard that it belongs to, and the next one not before it is
	 * there. If nothing leads there although it was declared again, it is a dead letter.
	 */
	void move(Delivery delivery, Shard shard, JobFailure ifUnroutable) {
		OutgoingMessage message = new OutgoingMessage(this.declarer.topology().naming().directExchange(), shard.name(),
				Republishing.forMove(delivery.properties()), delivery.body());
		Publishing published = Publishing.UNROUTABLE;
		for (int i = 0; i < 2 && published == Publishing.UNROUTABLE; i++) {
			published = publishUntilTaken(delivery, message, () -> this.declarer.ensureQueue(delivery.queue()),
					Integer.MAX_VALUE);
		}
		switch (published) {
			case CONFIRMED -> ack(delivery);
			case UNROUTABLE -> deadLetter(delivery, ifUnroutable);
			case UNSENDABLE, REFUSED -> nack(delivery);
			default -> logger.debug("Message {} was not moved and will be delivered again",
					delivery.properties().getMessageId());
		}
	}

	private Publishing publishUntilTaken(Delivery delivery, OutgoingMessage message, Runnable declare, int tries) {
		BackOffExecution pauses = pauses();
		for (int i = 1; !isGone(delivery); i++) {
			PublishOutcome outcome = publish(delivery, message, declare);
			if (outcome instanceof PublishOutcome.Confirmed) {
				return Publishing.CONFIRMED;
			}
			logger.warn("Message {} for '{}' was not taken: {}", message.properties().getMessageId(),
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
			if (isStopping()) {
				// Nobody waits for another try, but one there is: the attempt is over.
				return Publishing.GIVEN_UP;
			}
			pause(pauses.nextBackOff());
		}
		return Publishing.GIVEN_UP;
	}

	private PublishOutcome publish(Delivery delivery, OutgoingMessage message, Runnable declare) {
		try {
			declare.run();
			this.publisher.connection().await(this.options.confirmTimeout());
			return await(delivery, this.publisher.publish(message));
		}
		catch (AmqpException | DeclarationRefusedException ex) {
			return new PublishOutcome.Unsent(ex);
		}
	}

	/** As long as it takes: asked again, a slow broker would have the message twice. */
	private PublishOutcome await(Delivery delivery, CompletableFuture<PublishOutcome> outcome) {
		while (!isGone(delivery)) {
			try {
				return outcome.get(this.options.confirmTimeout().toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				logger.warn("What follows message {} from queue '{}' was published and is not confirmed yet",
						delivery.properties().getMessageId(), delivery.queue());
				if (isStopping()) {
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
	private boolean isGone(Delivery delivery) {
		return delivery.isLost() || Thread.currentThread().isInterrupted();
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
	 * Where a delivery went.
	 */
	enum Settlement {

		/** Into a lane. */
		RETRIED,

		/** To the dead letter queue. */
		DEAD_LETTERED,

		/** Nowhere: the broker hands it out again. */
		NOT_SETTLED

	}

	/**
	 * How an attempt to publish what follows a delivery ended.
	 */
	private enum Publishing {

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

	/**
	 * Tells the broker.
	 */
	@FunctionalInterface
	private interface Settling {

		void run() throws IOException;

	}

}
