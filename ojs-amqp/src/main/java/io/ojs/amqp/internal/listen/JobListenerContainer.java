package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.random.RandomGenerator;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.connect.ReconnectBackoff;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
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
 * A listener container that leaves connecting to {@link BrokerConnection}. Its consumers
 * wait until there is a connection and come back with the same prefetch (AMQP binding
 * §11.3). A consumer whose queue was deleted declares it again (§10.4).
 */
public final class JobListenerContainer extends SimpleMessageListenerContainer {

	private static final Logger log = SafeLogger.of(JobListenerContainer.class);

	private static final Duration POLL = Duration.ofMillis(50);

	/**
	 * How long an idle consumer waits for a message before it checks whether it has to
	 * stop. A stop takes up to that long. With the default of a second, that would be
	 * most of a stop.
	 */
	private static final long RECEIVE_MILLIS = 200;

	private final String queue;

	private final BrokerConnection connection;

	private final Runnable declaration;

	private final Runnable forgetting;

	private final ReconnectBackoff backoff;

	private volatile Runnable beforeShutdown = () -> {
	};

	/** When cancelled consumers may come back, by the JVM's clock. */
	private volatile long comeBackAt = System.nanoTime();

	/**
	 * Creates a container.
	 * @param declaration declares its queues; each consumer calls it on its own thread
	 * @param forgetting called when the queues may have been deleted
	 */
	public JobListenerContainer(String queue, BrokerConnection connection, Runnable declaration, Runnable forgetting) {
		super(connection.connectionFactory());
		this.queue = queue;
		this.connection = connection;
		this.declaration = declaration;
		this.forgetting = forgetting;
		setMessagePropertiesConverter(new VerbatimPropertiesConverter());
		// Otherwise a header could make the container split a body into several messages.
		setDeBatchingEnabled(false);
		setAcknowledgeMode(AcknowledgeMode.MANUAL);
		setDefaultRequeueRejected(false);
		setReceiveTimeout(RECEIVE_MILLIS);
		// The default ends the process.
		setJavaLangErrorHandler((error) -> log.error("A consumer of queue '{}' ended", queue, error));
		this.backoff = connection.backoff();
		setRecoveryBackOff(this::pauses);
		setMissingQueuesFatal(false);
		// No retries: if a queue is deleted after its declaration, the next start of the
		// consumer declares it again.
		setDeclarationRetries(0);
	}

	/** The properties of a message that such a container passed to its listener. */
	public static BasicProperties received(Message message) {
		return ((DeliveredProperties) message.getMessageProperties()).received();
	}

	/**
	 * Registers an action that runs when this container is no longer active and its
	 * channels are still open.
	 * @param action the action; the shutdown waits for it
	 */
	void beforeShutdown(Runnable action) {
		this.beforeShutdown = action;
	}

	@Override
	protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
		this.beforeShutdown.run();
		super.shutdownAndWaitOrCallback(callback);
	}

	/**
	 * Pauses after failures that a new connection does not end, such as missing
	 * permissions.
	 */
	private BackOffExecution pauses() {
		return new BackOffExecution() {

			private int attempt;

			@Override
			public long nextBackOff() {
				return JobListenerContainer.this.backoff.delay(++this.attempt, RandomGenerator.getDefault()).toMillis();
			}

		};
	}

	/** Each consumer calls this on its own thread before it consumes. */
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
		boolean going = true;
		while (going && isActive() && System.nanoTime() < this.comeBackAt) {
			going = Threads.pause(POLL);
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
	 * A container that was told to stop begins no job, even if the broker has not
	 * confirmed the cancellation of its consumers yet. This exception returns messages
	 * without a warning for each.
	 */
	@Override
	protected void executeListenerAndHandleException(Channel channel, Object data) {
		if (!isActive()) {
			throw new MessageRejectedWhileStoppingException();
		}
		super.executeListenerAndHandleException(channel, data);
	}

}
