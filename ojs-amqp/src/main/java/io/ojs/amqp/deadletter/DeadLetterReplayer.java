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
 * Puts dead letters back to work (OJS Dead Letter): each one that is meant goes to its
 * queue again, with its id, from the first attempt. Safe for use by many threads; each
 * dead letter queue is replayed by one at a time, over all processes.
 *
 * <p>
 * Every dead letter is published and confirmed before it is acked, those that stay too:
 * they go from the head of the queue to its end. So a replay that is killed loses
 * nothing; what it held at that moment may be there twice. A replay looks at what was in
 * the queue when it began, at each dead letter once.
 */
public final class DeadLetterReplayer {

	/** Of somebody who waits in front of it. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final BrokerConnection connection;

	private final ConfirmingPublisher publisher;

	private final OjsNaming naming;

	private final JobMessages messages;

	private final Clock clock;

	private final Duration confirmTimeout;

	/**
	 * Creates a replayer.
	 * @param connection where dead letters are taken from
	 * @param publisher publishes what becomes of them
	 * @param naming what things are called
	 * @param messages reads them
	 * @param clock tells whether a job has expired
	 * @param confirmTimeout how long to wait for a confirm before that is worth a warning
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
	 * Replays, and returns when that is done. Ends early if the thread is interrupted or
	 * the request's listener says so; what it holds is settled first.
	 * @param request what to replay, and how
	 * @return what became of it, also if it failed on the way
	 * @throws ReplayRefusedException if it did not begin: there is no such dead letter
	 * queue, or it is being replayed
	 * @throws AmqpException if the broker cannot be reached
	 */
	public BrokerReplayResult replay(ReplayRequest request) {
		String run = UUID.randomUUID().toString();
		this.connection.await(PATIENCE);
		this.publisher.connection().await(PATIENCE);
		// A channel of its own, and not one of the factory's cache: closing it gives back
		// what it holds.
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
