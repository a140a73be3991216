package io.ojs.amqp.publish;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import io.ojs.amqp.connect.BrokerConnection;
import io.ojs.amqp.write.WriteCoalescing;
import io.ojs.amqp.message.HeaderFrame;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.observe.AmqpMetrics;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes with {@code mandatory} and confirms, and tells what became of each message
 * (AMQP binding §5.1). Uses the template's publisher connection; its channels carry many
 * messages in flight. Safe for use by many threads.
 */
public final class ConfirmingPublisher {

	private static final int MAX_CHANNELS = 16;

	private static final long PAUSE_MILLIS = 5;

	/** How long the first message of all waits for the connection. */
	private static final Duration OPENING = Duration.ofSeconds(5);

	private final RabbitTemplate template;

	private final BrokerConnection connection;

	private final Map<Channel, ChannelConfirms> confirms = new ConcurrentHashMap<>();

	private final Semaphore channels;

	private final AmqpMetrics metrics;

	/**
	 * Creates a publisher that nobody looks at.
	 * @param template gives the channels
	 * @param connection the connection that they are on
	 */
	public ConfirmingPublisher(RabbitTemplate template, BrokerConnection connection) {
		this(template, connection, AmqpMetrics.NONE);
	}

	/**
	 * Creates a publisher.
	 * @param template gives the channels
	 * @param connection the connection that they are on
	 * @param metrics is told of every message
	 */
	public ConfirmingPublisher(RabbitTemplate template, BrokerConnection connection, AmqpMetrics metrics) {
		this.template = template;
		this.connection = connection;
		this.metrics = metrics;
		this.channels = new Semaphore(channels(template));
	}

	/**
	 * No more than the connection factory keeps: one beyond those would be closed when it
	 * is given back, with its confirms outstanding.
	 */
	private static int channels(RabbitTemplate template) {
		return (template.getConnectionFactory() instanceof CachingConnectionFactory factory)
				? Math.min(MAX_CHANNELS, factory.getChannelCacheSize()) : MAX_CHANNELS;
	}

	/**
	 * What it publishes over.
	 * @return the connection
	 */
	public BrokerConnection connection() {
		return this.connection;
	}

	/**
	 * Publishes a message.
	 * @param message the message
	 * @return what becomes of it; completed by the connection's thread, so whatever hangs
	 * on it must be quick
	 * @throws AmqpException if there is no connection; the message was not sent
	 */
	public CompletableFuture<PublishOutcome> publish(OutgoingMessage message) {
		return publishAll(List.of(message)).get(0);
	}

	/**
	 * Publishes messages on one channel, one behind the other, without waiting in
	 * between.
	 * @param messages the messages
	 * @return what becomes of each, in the same order
	 * @throws AmqpException if there is no connection; no message was sent
	 */
	public List<CompletableFuture<PublishOutcome>> publishAll(List<OutgoingMessage> messages) {
		List<CompletableFuture<PublishOutcome>> outcomes = new ArrayList<>(messages.size());
		this.connection.open(OPENING);
		this.connection.await(Duration.ZERO);
		this.channels.acquireUninterruptibly();
		try {
			this.template.execute((channel) -> {
				ChannelConfirms confirmsOfChannel = confirmsOf(channel);
				Channel physical = physical(channel);
				WriteCoalescing.together(() -> messages
					.forEach((message) -> outcomes.add(publish(confirmsOfChannel, physical, message))));
				return Boolean.TRUE;
			});
		}
		finally {
			this.channels.release();
		}
		return outcomes;
	}

	/**
	 * Publishes a message that nothing else is in flight beside, and waits for what
	 * becomes of it: so what the broker says when it closes the channel is said of this
	 * message.
	 * @param message the message
	 * @param patience how long to wait for the answers to what was published before on
	 * the channel, and then for that to this message
	 * @return what becomes of it; {@link PublishOutcome.Lost} if something else was in
	 * flight all that time and took the channel along
	 * @throws AmqpException if there is no connection; the message was not sent
	 */
	PublishOutcome publishAlone(OutgoingMessage message, Duration patience) {
		this.connection.open(OPENING);
		this.connection.await(Duration.ZERO);
		this.channels.acquireUninterruptibly();
		try {
			return Objects.requireNonNull(this.template.execute((channel) -> {
				// While it is on loan, no other thread publishes over it.
				ChannelConfirms confirmsOfChannel = confirmsOf(channel);
				awaitIdle(confirmsOfChannel, patience);
				return publish(confirmsOfChannel, physical(channel), message)
					.completeOnTimeout(new PublishOutcome.Unknown(), patience.toNanos(), TimeUnit.NANOSECONDS)
					.join();
			}));
		}
		finally {
			this.channels.release();
		}
	}

	private static void awaitIdle(ChannelConfirms confirms, Duration patience) {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!confirms.isIdle() && System.nanoTime() - deadline < 0) {
			try {
				TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
		}
	}

	/**
	 * What cannot be sent must not get to the channel: that has to be closed then, and
	 * with it goes the answer to every other message in flight.
	 */
	private static CompletableFuture<PublishOutcome> publish(ChannelConfirms confirms, Channel channel,
			OutgoingMessage message) {
		try {
			HeaderFrame.check(message.properties(), channel.getConnection().getFrameMax());
		}
		catch (RuntimeException ex) {
			return CompletableFuture.completedFuture(new PublishOutcome.Unsendable(ex));
		}
		return confirms.publish(channel, message);
	}

	/**
	 * What the template lends is a proxy, made anew for each loan of the same channel.
	 */
	private static Channel physical(Channel channel) {
		return (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
	}

	private ChannelConfirms confirmsOf(Channel channel) throws IOException {
		Channel physical = physical(channel);
		ChannelConfirms known = this.confirms.get(physical);
		if (known != null) {
			return known;
		}
		ChannelConfirms created = new ChannelConfirms(this.metrics);
		physical.confirmSelect();
		physical.addConfirmListener(created);
		physical.addReturnListener(created);
		this.confirms.put(physical, created);
		physical.addShutdownListener((cause) -> {
			this.confirms.remove(physical);
			created.shutdownCompleted(cause);
		});
		return created;
	}

}
