package io.ojs.amqp.internal.deadletter;

import java.time.Duration;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.internal.connect.PhysicalChannel;
import io.ojs.amqp.internal.listen.JobListenerContainer;
import io.ojs.amqp.internal.message.ReceivedJob;
import io.ojs.amqp.internal.message.TraceHeaders;
import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * Records the dead letters of one queue, one after the other. It holds a dead letter that
 * cannot be recorded now, and tries again until it can, or until its channel is lost and
 * the broker delivers it again.
 */
final class DeadLetterListener implements ChannelAwareMessageListener {

	private static final Logger logger = SafeLogger.of(DeadLetterListener.class);

	/** Reason if neither a worker nor the broker gives one. */
	private static final String UNKNOWN = "unknown";

	private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

	private final String queue;

	private final DeadLetterCollector.Destination destination;

	private final ParkingPublisher parking;

	private final BooleanSupplier stopping;

	DeadLetterListener(String queue, DeadLetterCollector.Destination destination, ParkingPublisher parking,
			BooleanSupplier stopping) {
		this.queue = queue;
		this.destination = destination;
		this.parking = parking;
		this.stopping = stopping;
	}

	/** Throws nothing: an exception would stop the consumer. */
	@Override
	public void onMessage(Message message, @Nullable Channel channel) {
		Channel physical = PhysicalChannel.of(channel);
		if (physical == null) {
			throw new IllegalStateException("The container works with a channel");
		}
		BasicProperties properties = JobListenerContainer.received(message);
		int failures = 0;
		try {
			while (!isKept(properties, message.getBody(), physical)) {
				failures++;
				if (this.stopping.getAsBoolean() || !physical.isOpen() || !Threads.pause(BACKOFF.after(failures))) {
					// The broker delivers it again.
					return;
				}
			}
			physical.basicAck(message.getMessageProperties().getDeliveryTag(), false);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Dead letter {} of queue '{}' was recorded and not acked: {}", properties.getMessageId(),
					this.queue, ex.toString());
		}
	}

	/**
	 * Returns whether the job store, or the queue for other messages, has the dead
	 * letter.
	 */
	private boolean isKept(BasicProperties properties, byte[] body, Channel channel) throws InterruptedException {
		int frameMax = channel.getConnection().getFrameMax();
		try {
			FoundDeadLetter found = found(properties, body);
			Recorded recorded = this.destination.store()
				.record(List.of(found), this.destination.clock().instant())
				.get(0);
			logger.debug("Dead letter {} of queue '{}': {}", found.encoded().job().id(), this.queue, recorded);
			if (recorded != Recorded.REFUSED) {
				return true;
			}
			logger.warn(
					"Message {} among the dead letters of queue '{}' is put aside: the job store has another job "
							+ "under this id, one that was not at the broker, or makes jobs of its type '{}' alone",
					found.encoded().job().id(), this.queue, found.encoded().job().type());
		}
		catch (StoreUnavailableException ex) {
			logger.warn("Dead letter {} of queue '{}' cannot be recorded for now: {}", properties.getMessageId(),
					this.queue, ex.getMessage());
			return false;
		}
		catch (UndecodableJobException ex) {
			logger.warn("Message {} among the dead letters of queue '{}' is no job and is put aside: {}",
					properties.getMessageId(), this.queue, ex.getMessage());
		}
		catch (RuntimeException ex) {
			logger.error("Dead letter {} of queue '{}' cannot be recorded, now or ever, and is put aside",
					properties.getMessageId(), this.queue, ex);
		}
		return this.parking.park(this.queue, new DeadLetter(0, properties, body, null), frameMax);
	}

	private FoundDeadLetter found(BasicProperties properties, byte[] body) {
		ReceivedJob received = this.destination.messages().read(properties, body);
		Instant now = this.destination.clock().instant();
		DeadLetter letter = new DeadLetter(0, properties, body, received.job());
		int maxAttempts = (received.maxAttempts() != null) ? received.maxAttempts()
				: this.destination.retryPolicies().ofReceived(received.job()).maxAttempts();
		String reason = letter.reason();
		return new FoundDeadLetter(this.queue, new EncodedJob(received.job(), body, Math.max(1, maxAttempts)),
				received.attempt(), TraceHeaders.of(properties), letter.error(received.attempt(), now),
				letter.errorHash(), (reason != null) ? reason : UNKNOWN, received.store());
	}

}
