package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.observe.ConsumerMetrics;
import io.ojs.handler.internal.JobFailure;

/**
 * Settles nothing, and knows what it was to do. What the real one does is tested with a
 * broker.
 */
final class RecordingSettler extends DeliverySettler {

	/** What was to be done, and what else a test adds. */
	final List<String> done = new CopyOnWriteArrayList<>();

	/** Where dead letters and retries go, as if that were what the broker made of it. */
	Settlement retries = Settlement.RETRIED;

	Settlement deadLetters = Settlement.DEAD_LETTERED;

	Settlement acks = Settlement.ACKED;

	volatile boolean stopping;

	/** Whether acks and nacks fail in a way that no broker makes them fail. */
	boolean broken;

	RecordingSettler() {
		super(null, null, new WorkerOptions(Duration.ofSeconds(1), Duration.ofSeconds(1), DeadLettering.PUBLISH,
				List.of(), AmqpMetrics.NONE), () -> false, ConsumerMetrics.NONE, 1);
	}

	@Override
	boolean isStopping() {
		return this.stopping;
	}

	@Override
	Settlement ack(BrokerDelivery delivery) {
		this.done.add("ack");
		fail();
		return this.acks;
	}

	@Override
	Settlement nack(BrokerDelivery delivery) {
		this.done.add("nack");
		fail();
		return this.deadLetters;
	}

	private void fail() {
		if (this.broken) {
			throw new IllegalStateException("a bug");
		}
	}

	@Override
	Settlement retry(BrokerDelivery delivery, int nextAttempt, JobFailure failure, Duration delay) {
		this.done.add("retry " + nextAttempt + " in " + delay);
		return this.retries;
	}

	@Override
	Settlement postpone(BrokerDelivery delivery, Duration delay, LongFunction<BasicProperties> properties) {
		this.done.add("postpone " + delay);
		return this.retries;
	}

	@Override
	void passOn(BrokerDelivery delivery, Duration delay, LongFunction<BasicProperties> properties,
			JobFailure ifUnroutable) {
		this.done.add("pass on");
	}

	@Override
	Settlement deadLetter(BrokerDelivery delivery, JobFailure failure) {
		this.done.add("dead letter " + failure.error().code());
		return this.deadLetters;
	}

}
