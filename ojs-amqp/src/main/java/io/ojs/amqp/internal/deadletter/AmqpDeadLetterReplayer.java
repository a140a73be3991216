package io.ojs.amqp.internal.deadletter;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayResult;
import io.ojs.event.internal.JobEvents;

import org.springframework.amqp.rabbit.support.RabbitExceptionTranslator;

/**
 * Reads dead letter queues one message at a time, and publishes what is replayed with
 * confirms.
 */
public final class AmqpDeadLetterReplayer implements DeadLetterReplayer {

	/** How long to wait for a connection, while an operator waits for the replay. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final BrokerConnection connection;

	private final ConfirmingPublisher publisher;

	private final OjsNaming naming;

	private final JobMessages messages;

	private final JobEvents events;

	private final Clock clock;

	private final Duration confirmTimeout;

	/**
	 * Creates a replayer.
	 * @param events publishes that jobs are enqueued again
	 * @param clock tells whether a job has expired
	 * @param confirmTimeout how long to wait for a confirm before a warning is logged
	 */
	public AmqpDeadLetterReplayer(BrokerConnection connection, ConfirmingPublisher publisher, OjsNaming naming,
			JobMessages messages, JobEvents events, Clock clock, Duration confirmTimeout) {
		this.connection = connection;
		this.publisher = publisher;
		this.naming = naming;
		this.messages = messages;
		this.events = events;
		this.clock = clock;
		this.confirmTimeout = confirmTimeout;
	}

	@Override
	public ReplayResult replayAll(DeadLetterFilter filter, ReplayOptions options, ReplayListener listener) {
		ReplayRequest request = ReplayRequest.of(filter, options, listener);
		this.connection.await(PATIENCE);
		this.publisher.connection().await(PATIENCE);
		// A channel outside the factory's cache, so that closing it returns unacked
		// messages to the queue.
		try (DeadLetterQueue queue = DeadLetterQueue.open(
				this.connection.connectionFactory().createConnection().getDelegate().createChannel(), this.messages,
				this.naming, request.queue())) {
			return new ReplayRun(request, queue, this.publisher,
					new ReplayMessages(this.naming, request, this.messages, queue.frameMax()), this.events, this.clock,
					this.confirmTimeout)
				.run();
		}
		catch (IOException ex) {
			throw RabbitExceptionTranslator.convertRabbitAccessException(ex);
		}
	}

}
