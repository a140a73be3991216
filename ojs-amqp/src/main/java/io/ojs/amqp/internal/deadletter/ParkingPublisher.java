package io.ojs.amqp.internal.deadletter;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.Purpose;
import io.ojs.amqp.internal.message.Republishing;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Moves messages that the job store cannot take in, unchanged, to a queue where operators
 * can look at them.
 */
final class ParkingPublisher {

	private static final Logger logger = SafeLogger.of(ParkingPublisher.class);

	/** Routes to every queue by its name. */
	private static final String DEFAULT_EXCHANGE = "";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final TopologyDeclarer declarer;

	private final ConfirmingPublisher publisher;

	ParkingPublisher(TopologyDeclarer declarer, ConfirmingPublisher publisher) {
		this.declarer = declarer;
		this.publisher = publisher;
	}

	/**
	 * Moves a message.
	 * @param queue the OJS queue that it was dead-lettered from
	 * @param frameMax the longest frame of the connection in bytes, 0 for no limit
	 * @return whether the broker has confirmed it
	 */
	boolean park(String queue, DeadLetter letter, int frameMax) throws InterruptedException {
		String name = this.declarer.topology().naming().undecodableQueue(queue);
		try {
			this.declarer.ensureUndecodable(queue);
			PublishOutcome outcome = this.publisher.publish(new OutgoingMessage(DEFAULT_EXCHANGE, name,
					Republishing.forKeeping(letter.properties(), frameMax), letter.body(), queue, Purpose.DEAD_LETTER))
				.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
			if (outcome instanceof PublishOutcome.Confirmed) {
				return true;
			}
			if (outcome instanceof PublishOutcome.Returned) {
				this.declarer.forget();
			}
			logger.warn("Message {} was not taken by '{}': {}", letter.properties().getMessageId(), name, outcome);
		}
		catch (AmqpException | DeclarationRefusedException | ExecutionException | TimeoutException ex) {
			logger.warn("Message {} could not be put into '{}': {}", letter.properties().getMessageId(), name,
					ex.toString());
		}
		return false;
	}

}
