package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

record BrokerConsumers(SimpleMessageListenerContainer container) implements QueueConsumers {

	@Override
	public void start(@Nullable Duration patience) {
		if (patience != null) {
			this.container.setConsumerStartTimeout(patience.toMillis());
		}
		this.container.start();
	}

	@Override
	public void concurrency(int consumers) {
		this.container.setConcurrentConsumers(consumers);
	}

	@Override
	public int active() {
		return this.container.getActiveConsumerCount();
	}

	@Override
	public boolean isRunning() {
		return this.container.isRunning();
	}

	@Override
	public List<String> amqpQueues() {
		return List.of(this.container.getQueueNames());
	}

	@Override
	public void stop(Duration patience, Runnable ended) {
		this.container.setShutdownTimeout(patience.toMillis());
		this.container.stop(ended);
	}

}
