package io.ojs.amqp.internal.control;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Tells the workers of all processes that a queue has available jobs, if the job store
 * delivers its jobs. It does not repeat a wake-up that the broker does not take. A
 * refused declaration of the exchange is thrown: the thread of {@code WakeUps}, which no
 * enqueue waits for, logs it once and pauses before it tries again, and workers poll
 * meanwhile.
 */
public final class WakeUpSender implements Consumer<String> {

	private static final Logger logger = SafeLogger.of(WakeUpSender.class);

	private final TopologyDeclarer declarer;

	private final ConfirmingPublisher publisher;

	private final ControlMessages messages;

	private final BooleanSupplier ready;

	/**
	 * Creates a sender.
	 * @param ready whether the broker takes messages now
	 */
	public WakeUpSender(TopologyDeclarer declarer, ConfirmingPublisher publisher, ControlMessages messages,
			BooleanSupplier ready) {
		this.declarer = declarer;
		this.publisher = publisher;
		this.messages = messages;
		this.ready = ready;
	}

	@Override
	public void accept(String queue) {
		if (!this.ready.getAsBoolean()) {
			return;
		}
		try {
			this.declarer.ensureControlExchange();
			this.publisher.publish(this.messages.available(this.declarer.topology().naming().controlExchange(), queue));
		}
		catch (AmqpException ex) {
			logger.debug("Workers of other processes were not woken for queue '{}'", queue, ex);
		}
	}

}
