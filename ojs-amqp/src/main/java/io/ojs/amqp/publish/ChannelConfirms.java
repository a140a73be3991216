package io.ojs.amqp.publish;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.message.OutgoingMessage;

/**
 * Follows what becomes of the messages published on one channel. A return comes before
 * the confirm of the same message, on the same thread.
 *
 * <p>
 * The template's own correlation would do this too, but it writes two headers of its own
 * into every message and keeps a channel of its own busy for every message in flight.
 */
final class ChannelConfirms implements ConfirmListener, ReturnListener, ShutdownListener {

	private final ConcurrentNavigableMap<Long, Pending> pending = new ConcurrentSkipListMap<>();

	private final Map<String, PublishOutcome.Returned> returned = new ConcurrentHashMap<>();

	/**
	 * Publishes. The caller has the channel to itself.
	 * @param channel the channel that this object listens to
	 * @param message what to publish
	 * @return what becomes of it; completed by the connection's thread, so whatever hangs
	 * on it must be quick
	 */
	CompletableFuture<PublishOutcome> publish(Channel channel, OutgoingMessage message) {
		long sequence = channel.getNextPublishSeqNo();
		Pending publish = new Pending(message.properties().getMessageId(), new CompletableFuture<>());
		this.pending.put(sequence, publish);
		try {
			channel.basicPublish(message.exchange(), message.routingKey(), true, message.properties(), message.body());
		}
		catch (IOException | RuntimeException ex) {
			this.pending.remove(sequence);
			publish.outcome().complete(new PublishOutcome.Lost(ex));
		}
		return publish.outcome();
	}

	@Override
	public void handleReturn(int code, String text, String exchange, String routingKey, BasicProperties properties,
			byte[] body) {
		String messageId = properties.getMessageId();
		if (messageId != null) {
			this.returned.put(messageId, new PublishOutcome.Returned(code, text));
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
			ConcurrentNavigableMap<Long, Pending> upTo = this.pending.headMap(sequence, true);
			upTo.values().forEach((publish) -> settle(publish, outcome));
			upTo.clear();
			return;
		}
		Pending publish = this.pending.remove(sequence);
		if (publish != null) {
			settle(publish, outcome);
		}
	}

	private void settle(Pending publish, PublishOutcome outcome) {
		PublishOutcome.Returned unroutable = this.returned.remove(publish.messageId());
		publish.outcome().complete((unroutable != null) ? unroutable : outcome);
	}

	@Override
	public void shutdownCompleted(ShutdownSignalException cause) {
		this.pending.values().forEach((publish) -> publish.outcome().complete(new PublishOutcome.Lost(cause)));
		this.pending.clear();
	}

	/**
	 * A message in flight.
	 *
	 * @param messageId its {@code message_id}, which a return of it carries
	 * @param outcome what becomes of it
	 */
	private record Pending(String messageId, CompletableFuture<PublishOutcome> outcome) {
	}

}
