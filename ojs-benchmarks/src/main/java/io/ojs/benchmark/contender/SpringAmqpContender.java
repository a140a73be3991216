package io.ojs.benchmark.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * Spring AMQP as its reference says it: confirms by correlation objects, or many messages
 * on one channel by {@link RabbitTemplate#invoke}.
 */
final class SpringAmqpContender implements Contender {

	private static final long CONFIRM_SECONDS = 60;

	private final CachingConnectionFactory connections;

	private final RabbitTemplate template;

	private final RabbitAdmin admin;

	private final boolean invoke;

	private @Nullable SimpleMessageListenerContainer container;

	private SpringAmqpContender(Site site, boolean invoke) {
		this.invoke = invoke;
		this.connections = new CachingConnectionFactory();
		this.connections.setUri(site.brokerUri());
		this.connections.setPublisherConfirmType(invoke ? ConfirmType.SIMPLE : ConfirmType.CORRELATED);
		this.connections.setPublisherReturns(true);
		this.connections.setChannelCacheSize(Setting.SPRING_CHANNELS);
		this.template = new RabbitTemplate(this.connections);
		this.template.setMandatory(true);
		this.template.setUsePublisherConnection(true);
		this.admin = new RabbitAdmin(this.connections);
		this.admin.declareQueue(new Queue(Site.QUEUE, true, false, false, Map.of("x-queue-type", site.queueType())));
	}

	static SpringAmqpContender correlated(Site site) {
		return new SpringAmqpContender(site, false);
	}

	static SpringAmqpContender invoke(Site site) {
		return new SpringAmqpContender(site, true);
	}

	@Override
	public void enqueue(Payload job) throws Exception {
		confirmed(send(job));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) throws Exception {
		if (this.invoke) {
			this.template.invoke((operations) -> {
				jobs.forEach((job) -> operations.send("", Site.QUEUE, message(job)));
				operations.waitForConfirmsOrDie(TimeUnit.SECONDS.toMillis(CONFIRM_SECONDS));
				return Boolean.TRUE;
			});
			return;
		}
		List<CorrelationData> sent = new ArrayList<>(jobs.size());
		for (Payload job : jobs) {
			sent.add(send(job));
		}
		for (CorrelationData each : sent) {
			confirmed(each);
		}
	}

	@Override
	public CompletableFuture<?> enqueueAsync(Payload job) {
		return send(job).getFuture();
	}

	private CorrelationData send(Payload job) {
		CorrelationData correlation = new CorrelationData();
		this.template.send("", Site.QUEUE, message(job), correlation);
		return correlation;
	}

	private static void confirmed(CorrelationData correlation) throws Exception {
		if (!correlation.getFuture().get(CONFIRM_SECONDS, TimeUnit.SECONDS).ack()) {
			throw new IllegalStateException("Refused by the broker");
		}
	}

	private static Message message(Payload job) {
		return new Message(PayloadBytes.of(job), new MessageProperties());
	}

	@Override
	public void work(Handler handler) {
		SimpleMessageListenerContainer created = new SimpleMessageListenerContainer(this.connections);
		created.setQueueNames(Site.QUEUE);
		created.setConcurrentConsumers(Setting.CONSUMERS);
		created.setPrefetchCount(Setting.PREFETCH);
		created.setBatchSize(Setting.SPRING_MESSAGES_PER_ACK);
		created
			.setMessageListener((MessageListener) (message) -> handler.handle(PayloadBytes.sentAt(message.getBody())));
		created.afterPropertiesSet();
		created.start();
		this.container = created;
	}

	@Override
	public void settle() throws Exception {
		Settled.await("the queue is empty", () -> this.admin.getQueueInfo(Site.QUEUE).getMessageCount() == 0);
	}

	@Override
	public void close() {
		if (this.container != null) {
			this.container.destroy();
		}
		this.connections.destroy();
	}

}
