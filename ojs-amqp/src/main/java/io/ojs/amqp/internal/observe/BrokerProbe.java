package io.ojs.amqp.internal.observe;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ojs.amqp.internal.connect.BrokerConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Asks the broker about queues within a given time. Connecting, and waiting for an answer
 * on an open connection, can each take minutes. The probe changes nothing, since it only
 * declares passively.
 */
public final class BrokerProbe implements AutoCloseable {

	/** Exists in every virtual host. */
	private static final String EXCHANGE = "amq.direct";

	/**
	 * Two requests can wait for a broker that does not answer. Others wait in the queue.
	 */
	private static final int THREADS = 2;

	private static final int WAITING = 20;

	private final BrokerConnection connection;

	private final RabbitTemplate template;

	private final Duration patience;

	private final ThreadPoolExecutor executor;

	/**
	 * Creates a probe.
	 * @param patience how long all answers together may take
	 */
	public BrokerProbe(BrokerConnection connection, Duration patience) {
		this.connection = connection;
		this.template = new RabbitTemplate(connection.connectionFactory());
		this.patience = patience;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("ojs-probe-");
		threads.setDaemon(true);
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(WAITING), threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/** Asks for the counts of queues, and so whether the broker answers at all. */
	public BrokerAnswer ask(Collection<String> amqpQueues) {
		Map<String, QueueCounts> counts = new ConcurrentHashMap<>();
		return new BrokerAnswer(counts, problem(() -> {
			// A probe does not connect by itself, which would ignore the pauses between
			// attempts. A third of the time leaves enough to report why there is no
			// connection.
			this.connection.await(this.patience.dividedBy(3));
			this.template.execute((channel) -> channel.exchangeDeclarePassive(EXCHANGE));
			for (String queue : amqpQueues) {
				QueueCounts ofQueue = QueueCounts.ask(this.template, queue);
				if (ofQueue != null) {
					counts.put(queue, ofQueue);
				}
			}
		}));
	}

	private @Nullable String problem(Runnable question) {
		Future<?> answer = null;
		try {
			answer = this.executor.submit(question);
			answer.get(this.patience.toNanos(), TimeUnit.NANOSECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return NestedExceptionUtils.getMostSpecificCause(ex).toString();
		}
		catch (TimeoutException | RejectedExecutionException ex) {
			return "The broker did not answer within " + this.patience;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return "Interrupted while the broker was asked";
		}
		finally {
			if (answer != null) {
				answer.cancel(true);
			}
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
