package io.ojs.amqp.listen;

import java.util.random.RandomGenerator;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.connect.BrokerConnection;
import io.ojs.amqp.connect.ReconnectBackoff;
import io.ojs.amqp.topology.DeclarationRefusedException;
import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.MessageRejectedWhileStoppingException;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.support.ConsumerCancelledException;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A listener container that leaves connecting to {@link BrokerConnection}: its consumers
 * wait until there is a connection, however many they are, and come back with the same
 * prefetch (AMQP binding §11.3). A consumer whose queue was taken away declares it again
 * (§10.4).
 */
public final class JobListenerContainer extends SimpleMessageListenerContainer {

	private static final Logger log = SafeLogger.of(JobListenerContainer.class);

	private static final long POLL_MILLIS = 50;

	/**
	 * How long an idle consumer waits for the next message before it looks whether it has
	 * to stop: a stop takes that much longer. The default of a second would be most of
	 * what it takes.
	 */
	private static final long RECEIVE_MILLIS = 200;

	private final String queue;

	private final BrokerConnection connection;

	private final Runnable declaration;

	private final Runnable forgetting;

	private final ReconnectBackoff backoff;

	private volatile Runnable beforeShutdown = () -> {
	};

	/** When consumers that the broker cancelled may come back; by the JVM's clock. */
	private volatile long comeBackAt = System.nanoTime();

	/**
	 * Creates a container.
	 * @param queue what it consumes from, for people
	 * @param connection what it consumes over
	 * @param declaration makes sure that its queues exist; called on each consumer's own
	 * thread
	 * @param forgetting called when they may be gone
	 */
	public JobListenerContainer(String queue, BrokerConnection connection, Runnable declaration, Runnable forgetting) {
		super(connection.connectionFactory());
		this.queue = queue;
		this.connection = connection;
		this.declaration = declaration;
		this.forgetting = forgetting;
		setMessagePropertiesConverter(new VerbatimPropertiesConverter());
		// A header must not make the container take a body apart.
		setDeBatchingEnabled(false);
		setAcknowledgeMode(AcknowledgeMode.MANUAL);
		setDefaultRequeueRejected(false);
		setReceiveTimeout(RECEIVE_MILLIS);
		// The default ends the whole process.
		setJavaLangErrorHandler((error) -> log.error("A consumer of queue '{}' ended", queue, error));
		this.backoff = connection.backoff();
		setRecoveryBackOff(this::pauses);
		setMissingQueuesFatal(false);
		// One look is enough: whoever takes a queue away between the declaration and the
		// look gets it back on the next round.
		setDeclarationRetries(0);
	}

	/**
	 * The properties of a message that a container of this kind handed to its listener.
	 * @param message the message
	 * @return its properties exactly as they came
	 */
	public static BasicProperties received(Message message) {
		return ((DeliveredProperties) message.getMessageProperties()).received();
	}

	/**
	 * Has something done when this container is no longer active, before its channels are
	 * closed.
	 * @param action what to do; the shutdown waits for it
	 */
	void beforeShutdown(Runnable action) {
		this.beforeShutdown = action;
	}

	@Override
	protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
		this.beforeShutdown.run();
		super.shutdownAndWaitOrCallback(callback);
	}

	/** For what a connection does not mend, such as missing permissions. */
	private BackOffExecution pauses() {
		return new BackOffExecution() {

			private int attempt;

			@Override
			public long nextBackOff() {
				return JobListenerContainer.this.backoff.delay(++this.attempt, RandomGenerator.getDefault()).toMillis();
			}

		};
	}

	/** Each consumer calls it on its own thread before it begins to consume. */
	@Override
	protected void redeclareElementsIfNecessary() {
		awaitComeback();
		if (!this.connection.awaitWhile(this::isActive)) {
			return;
		}
		try {
			this.declaration.run();
		}
		catch (DeclarationRefusedException ex) {
			log.error("Queue '{}' cannot be worked for now. {}", this.queue, ex.getMessage());
			throw new AmqpIOException(ex.getMessage(), ex);
		}
	}

	private void awaitComeback() {
		try {
			while (isActive() && System.nanoTime() < this.comeBackAt) {
				Thread.sleep(POLL_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	protected void publishConsumerFailedEvent(@Nullable String reason, boolean fatal, @Nullable Throwable thrown) {
		if (thrown instanceof ConsumerCancelledException && isActive()) {
			log.warn("The broker cancelled a consumer of queue '{}': the queue is gone, or has moved", this.queue);
			this.comeBackAt = System.nanoTime() + this.backoff.delay(1, RandomGenerator.getDefault()).toNanos();
			this.forgetting.run();
			this.connection.consumerCancelled(this.queue);
		}
		super.publishConsumerFailedEvent(reason, fatal, thrown);
	}

	/**
	 * From the moment that it is told to stop, and not only when the broker has confirmed
	 * that for each consumer, it begins no job; and without a warning for each message
	 * that goes back.
	 */
	@Override
	protected void executeListenerAndHandleException(Channel channel, Object data) {
		if (!isActive()) {
			throw new MessageRejectedWhileStoppingException();
		}
		super.executeListenerAndHandleException(channel, data);
	}

}
