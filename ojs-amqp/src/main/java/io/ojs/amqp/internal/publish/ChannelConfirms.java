package io.ojs.amqp.internal.publish;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.write.WriteCoalescing;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the outcome of each message that is published on one channel. The broker sends a
 * return before the confirm of the same message, and one thread receives both.
 *
 * <p>
 * The correlation of {@code RabbitTemplate} would do this too, but it adds two headers to
 * every message and keeps a channel busy for each message in flight.
 */
final class ChannelConfirms implements ConfirmListener, ReturnListener, ShutdownListener {

	private final ConcurrentNavigableMap<Long, InFlight> inFlight = new ConcurrentSkipListMap<>();

	private final AmqpMetrics metrics;

	ChannelConfirms(AmqpMetrics metrics) {
		this.metrics = metrics;
	}

	/**
	 * Publishes a message. The caller must have the channel to itself.
	 * @param channel the channel that this object listens to
	 * @return the outcome. The thread that reads the connection completes it, so
	 * dependent stages must be quick
	 */
	CompletableFuture<PublishOutcome> publish(Channel channel, OutgoingMessage message) {
		long sequence = channel.getNextPublishSeqNo();
		InFlight published = new InFlight(message);
		this.inFlight.put(sequence, published);
		try {
			channel.basicPublish(message.exchange(), message.routingKey(), message.mandatory(), message.properties(),
					message.body());
		}
		catch (ShutdownSignalException | IOException ex) {
			this.inFlight.remove(sequence);
			published.outcome.complete(new PublishOutcome.Lost(ex));
		}
		catch (RuntimeException ex) {
			// AMQP cannot carry a property or header. The client has counted the message,
			// but the broker has not seen it, so every later confirm would be assigned to
			// the previous message. This channel must not be used again.
			this.inFlight.remove(sequence);
			published.outcome.complete(new PublishOutcome.Unsendable(ex));
			abort(channel);
		}
		return published.outcome;
	}

	/** Whether the broker has answered all messages. */
	boolean isIdle() {
		return this.inFlight.isEmpty();
	}

	private static void abort(Channel channel) {
		WriteCoalescing.release();
		try {
			channel.abort();
		}
		catch (IOException ex) {
			// The channel is closed already.
		}
	}

	@Override
	public void handleReturn(int code, String text, String exchange, String routingKey, BasicProperties properties,
			byte[] body) {
		for (InFlight candidate : this.inFlight.values()) {
			if (candidate.returned == null && candidate.is(exchange, routingKey, properties, body)) {
				candidate.returned = new PublishOutcome.Returned(code, text);
				if (candidate.message.purpose().isJob()) {
					this.metrics.returned(candidate.message.queue());
				}
				return;
			}
		}
	}

	@Override
	public void handleAck(long sequence, boolean multiple) {
		settle(sequence, multiple, new PublishOutcome.Confirmed());
	}

	@Override
	public void handleNack(long sequence, boolean multiple) {
		settle(sequence, multiple, new PublishOutcome.Nacked());
	}

	private void settle(long sequence, boolean multiple, PublishOutcome outcome) {
		if (multiple) {
			ConcurrentNavigableMap<Long, InFlight> upTo = this.inFlight.headMap(sequence, true);
			upTo.values().forEach((published) -> settle(published, outcome));
			upTo.clear();
			return;
		}
		InFlight published = this.inFlight.remove(sequence);
		if (published != null) {
			settle(published, outcome);
		}
	}

	private void settle(InFlight published, PublishOutcome confirmed) {
		PublishOutcome outcome = (published.returned != null) ? published.returned : confirmed;
		if (published.message.purpose().isJob()) {
			this.metrics.confirmed(System.nanoTime() - published.sentAt);
			if (outcome instanceof PublishOutcome.Confirmed) {
				this.metrics.published(published.message.queue(), published.message.purpose());
			}
		}
		published.outcome.complete(outcome);
	}

	@Override
	public void shutdownCompleted(ShutdownSignalException cause) {
		// Take the messages first: a later one fails by itself and did not close the
		// channel.
		List<InFlight> open = List.copyOf(this.inFlight.values());
		PublishOutcome outcome = outcome(cause, open.size());
		open.forEach((published) -> published.outcome.complete(outcome));
		this.inFlight.clear();
	}

	/**
	 * The error of the channel is assigned to a message only if exactly one was in
	 * flight. If this application closed the channel, the error says nothing of the
	 * messages.
	 */
	private static PublishOutcome outcome(ShutdownSignalException cause, int open) {
		return (!cause.isHardError() && !cause.isInitiatedByApplication() && open == 1
				&& cause.getReason() instanceof AMQP.Channel.Close close)
						? new PublishOutcome.Refused(close.getReplyCode(), close.getReplyText())
						: new PublishOutcome.Lost(cause);
	}

	/**
	 * A message that the broker has not confirmed yet.
	 */
	private static final class InFlight {

		private final OutgoingMessage message;

		private final CompletableFuture<PublishOutcome> outcome = new CompletableFuture<>();

		private final long sentAt = System.nanoTime();

		/** Only the thread that reads the connection uses it. */
		private PublishOutcome.@Nullable Returned returned;

		InFlight(OutgoingMessage message) {
			this.message = message;
		}

		/**
		 * Whether a return belongs to this message. The id alone is not enough: a foreign
		 * message may have none, and two may have the same. If two messages are equal in
		 * all of this, the broker returns both or neither.
		 */
		boolean is(String exchange, String routingKey, BasicProperties properties, byte[] body) {
			return this.message.exchange().equals(exchange) && this.message.routingKey().equals(routingKey)
					&& Objects.equals(this.message.properties().getMessageId(), properties.getMessageId())
					&& Arrays.equals(this.message.body(), body);
		}

	}

}
