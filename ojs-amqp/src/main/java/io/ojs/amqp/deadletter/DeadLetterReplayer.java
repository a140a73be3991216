package io.ojs.amqp.deadletter;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import io.ojs.amqp.connect.BrokerConnection;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.publish.ConfirmingPublisher;
import io.ojs.amqp.topology.OjsNaming;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.support.RabbitExceptionTranslator;

/**
 * Replays dead letters (OJS Dead Letter): publishes each selected one to its job queue
 * again, with its id, from the first attempt. Thread-safe; only one replay at a time,
 * over all processes, uses a dead letter queue.
 *
 * <p>
 * The replayer publishes every dead letter and waits for the confirm before it acks it.
 * Dead letters that stay move from the head of the queue to its end in the same way. So a
 * replay that is killed loses nothing, but messages that it held may be duplicated. A
 * replay examines each dead letter that was in the queue when it began, once.
 */
public final class DeadLetterReplayer {

	/** How long to wait for a connection, while an operator waits for the replay. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final BrokerConnection connection;

	private final ConfirmingPublisher publisher;

	private final OjsNaming naming;

	private final JobMessages messages;

	private final Clock clock;

	private final Duration confirmTimeout;

	/**
	 * Creates a replayer.
	 * @param connection the connection to consume over
	 * @param publisher publishes the dead letters
	 * @param naming names of exchanges and queues
	 * @param messages reads dead letters
	 * @param clock tells whether a job has expired
	 * @param confirmTimeout how long to wait for a confirm before a warning is logged
	 */
	public DeadLetterReplayer(BrokerConnection connection, ConfirmingPublisher publisher, OjsNaming naming,
			JobMessages messages, Clock clock, Duration confirmTimeout) {
		this.connection = connection;
		this.publisher = publisher;
		this.naming = naming;
		this.messages = messages;
		this.clock = clock;
		this.confirmTimeout = confirmTimeout;
	}

	/**
	 * Replays dead letters and returns when that is done. The replay ends early if its
	 * thread is interrupted or the listener of the request cancels it. It settles the
	 * dead letters that it holds first.
	 * @param request what to replay, and how
	 * @return the result, even if the replay failed on the way
	 * @throws ReplayRefusedException if the replay did not begin: the dead letter queue
	 * does not exist, is being replayed, or the broker refuses
	 * @throws AmqpException if the broker cannot be reached
	 */
	public BrokerReplayResult replay(ReplayRequest request) {
		String run = UUID.randomUUID().toString();
		this.connection.await(PATIENCE);
		this.publisher.connection().await(PATIENCE);
		// A channel outside the factory's cache, so that closing it returns unacked
		// messages to the queue.
		try (DeadLetterQueue queue = DeadLetterQueue.open(
				this.connection.connectionFactory().createConnection().getDelegate().createChannel(), this.messages,
				this.naming, request.queue())) {
			return new ReplayRun(request, run, queue, this.publisher,
					new ReplayMessages(this.naming, request, run, queue.frameMax()), this.clock, this.confirmTimeout)
				.run();
		}
		catch (IOException ex) {
			throw RabbitExceptionTranslator.convertRabbitAccessException(ex);
		}
	}

}
