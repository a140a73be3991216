package io.ojs.amqp.internal.publish;

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
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.connect.PhysicalChannel;
import io.ojs.amqp.internal.message.HeaderFrame;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.write.WriteCoalescing;
import io.ojs.internal.thread.Threads;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes with {@code mandatory} and confirms, and reports the outcome of each message
 * (AMQP binding §5.1). It uses the publisher connection of the template, with several
 * messages in flight on each channel. Thread-safe.
 */
public final class ConfirmingPublisher {

	private static final int MAX_CHANNELS = 16;

	private static final Duration PAUSE = Duration.ofMillis(5);

	/** How long the very first message waits for the connection. */
	private static final Duration OPENING = Duration.ofSeconds(5);

	private final RabbitTemplate template;

	private final BrokerConnection connection;

	private final Map<Channel, ChannelConfirms> confirms = new ConcurrentHashMap<>();

	private final Semaphore channels;

	private final AmqpMetrics metrics;

	public ConfirmingPublisher(RabbitTemplate template, BrokerConnection connection) {
		this(template, connection, AmqpMetrics.NONE);
	}

	public ConfirmingPublisher(RabbitTemplate template, BrokerConnection connection, AmqpMetrics metrics) {
		this.template = template;
		this.connection = connection;
		this.metrics = metrics;
		this.channels = new Semaphore(channels(template));
	}

	/**
	 * No more channels than the connection factory caches. It would close a further one
	 * on its return, with confirms outstanding.
	 */
	private static int channels(RabbitTemplate template) {
		return (template.getConnectionFactory() instanceof CachingConnectionFactory factory)
				? Math.min(MAX_CHANNELS, factory.getChannelCacheSize()) : MAX_CHANNELS;
	}

	/** The connection that messages are published over. */
	public BrokerConnection connection() {
		return this.connection;
	}

	/**
	 * Publishes a message.
	 * @return the outcome. The thread that reads the connection completes it, so
	 * dependent stages must be quick
	 * @throws AmqpException if there is no connection; the message was not sent
	 */
	public CompletableFuture<PublishOutcome> publish(OutgoingMessage message) {
		return publishAll(List.of(message)).get(0);
	}

	/**
	 * Publishes messages on one channel, in their order, without waiting for answers in
	 * between.
	 * @return the outcome of each, in the same order
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
	 * Publishes a message while no other is in flight on its channel, and waits for the
	 * outcome. So an error that closes the channel belongs to this message.
	 * @param patience how long to wait for earlier messages of the channel, and then as
	 * long again for this one
	 * @return the outcome; {@link PublishOutcome.Lost} if an earlier message was in
	 * flight all that time and closed the channel
	 * @throws AmqpException if there is no connection; the message was not sent
	 */
	PublishOutcome publishAlone(OutgoingMessage message, Duration patience) {
		this.connection.open(OPENING);
		this.connection.await(Duration.ZERO);
		this.channels.acquireUninterruptibly();
		try {
			return Objects.requireNonNull(this.template.execute((channel) -> {
				// No other thread publishes on the channel until this one returns it.
				ChannelConfirms confirmsOfChannel = confirmsOf(channel);
				Threads.await(confirmsOfChannel::isIdle, patience, PAUSE);
				return publish(confirmsOfChannel, physical(channel), message)
					.completeOnTimeout(new PublishOutcome.Unknown(), patience.toNanos(), TimeUnit.NANOSECONDS)
					.join();
			}));
		}
		finally {
			this.channels.release();
		}
	}

	/**
	 * Checks a message before it gets to the channel. A message that AMQP cannot carry
	 * would force the channel to be closed, and all other messages in flight would lose
	 * their answers.
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
	 * The template lends a new proxy of the same channel each time.
	 */
	private static Channel physical(Channel channel) {
		return Objects.requireNonNull(PhysicalChannel.of(channel));
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
