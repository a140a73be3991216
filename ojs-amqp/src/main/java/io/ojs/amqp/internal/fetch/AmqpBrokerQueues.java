package io.ojs.amqp.internal.fetch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.ReceivedJob;
import io.ojs.amqp.internal.message.TraceHeaders;
import io.ojs.amqp.internal.observe.QueueCounts;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.Topology;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.fetch.BrokerQueues;
import io.ojs.internal.fetch.TakenMessage;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.InvalidJobException;
import io.ojs.job.UndecodableJobException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Gets messages out of job queues one by one. It never consumes, since other programs
 * would take its consumer for a worker.
 */
public final class AmqpBrokerQueues implements BrokerQueues {

	private static final Logger logger = SafeLogger.of(AmqpBrokerQueues.class);

	/** How long to wait for the first connection. */
	private static final Duration OPENING = Duration.ofSeconds(5);

	/** Messages that the keeper gets at a time. */
	private static final int BATCH = 100;

	/**
	 * One sweep stops after this many messages of an AMQP queue; the next sweep goes on.
	 */
	private static final int MOST = 5000;

	private final BrokerConnection connection;

	private final Topology topology;

	private final JobMessages messages;

	private final RetryPolicies retryPolicies;

	private final RabbitTemplate template;

	public AmqpBrokerQueues(BrokerConnection connection, Topology topology, JobMessages messages,
			RetryPolicies retryPolicies) {
		this.connection = connection;
		this.topology = topology;
		this.messages = messages;
		this.retryPolicies = retryPolicies;
		this.template = new RabbitTemplate(connection.connectionFactory());
	}

	@Override
	public boolean isReady() {
		if (!this.connection.isUp()) {
			this.connection.open(OPENING);
			// Reconnect at the pace of the backoff, not at once: callers ask often.
			AtomicBoolean asked = new AtomicBoolean();
			this.connection.awaitWhile(() -> !asked.getAndSet(true));
		}
		return this.connection.isUp();
	}

	@Override
	public int consumers(String queue) {
		return (int) names(queue).stream().mapToLong((name) -> {
			QueueCounts found = QueueCounts.ask(this.template, name);
			return (found != null) ? found.consumers() : 0;
		}).sum();
	}

	/**
	 * The queue itself, to which producers publish that do not know shards, and its
	 * shards.
	 */
	private List<String> names(String queue) {
		return Stream.concat(Stream.of(queue), this.topology.shards(queue).stream().map(Shard::name))
			.distinct()
			.map(this.topology.naming()::jobQueue)
			.toList();
	}

	@Override
	public int sweep(String queue, Consumer<List<TakenMessage>> keeper) {
		int swept = 0;
		for (String name : names(queue)) {
			QueueCounts found = QueueCounts.ask(this.template, name);
			if (found != null && found.messages() > 0) {
				Integer taken = this.template.execute((channel) -> sweep(channel, name, keeper));
				swept += (taken != null) ? taken : 0;
			}
		}
		return swept;
	}

	private int sweep(Channel channel, String name, Consumer<List<TakenMessage>> keeper) throws IOException {
		int swept = 0;
		boolean more = true;
		try {
			while (more && swept < MOST) {
				List<TakenMessage> taken = new ArrayList<>(BATCH);
				long last = 0;
				int got = 0;
				while (more && got < BATCH) {
					GetResponse response = channel.basicGet(name, false);
					more = response != null;
					if (response != null) {
						got++;
						TakenMessage message = read(name, response);
						if (message != null) {
							taken.add(message);
							last = response.getEnvelope().getDeliveryTag();
						}
						else {
							channel.basicNack(response.getEnvelope().getDeliveryTag(), false, false);
						}
					}
				}
				if (!taken.isEmpty()) {
					keeper.accept(taken);
					channel.basicAck(last, true);
				}
				swept += got;
			}
		}
		catch (IOException | RuntimeException ex) {
			// A channel in the cache would keep its unacked messages.
			RabbitUtils.setPhysicalCloseRequired(channel, true);
			throw ex;
		}
		return swept;
	}

	private @Nullable TakenMessage read(String name, GetResponse response) {
		try {
			ReceivedJob received = this.messages.read(response.getProps(), response.getBody());
			Integer said = received.maxAttempts();
			int maxAttempts = (said != null) ? said : this.retryPolicies.ofReceived(received.job()).maxAttempts();
			return new TakenMessage(new EncodedJob(received.job(), received.body(), Math.max(1, maxAttempts)),
					received.attempt(), JobMessages.producer(response.getProps()), TraceHeaders.of(response.getProps()),
					received.store());
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			logger.warn("A message in '{}' is no job and goes to the dead letter queue. {}", name, ex.getMessage());
			return null;
		}
	}

}
