package io.ojs.benchmark.contender;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;

/**
 * The client of RabbitMQ and nothing around it: confirms in groups, four consumers. The
 * floor of what goes over a broker; it has no retries, no dead letters and no errors.
 */
class RawContender implements Contender {

	private static final long CONFIRM_MILLIS = Duration.ofMinutes(1).toMillis();

	private final Connection publishing;

	private final Connection consuming;

	private final BlockingQueue<Channel> channels = new LinkedBlockingQueue<>();

	private final Channel asynchronous;

	private final ConcurrentSkipListMap<Long, CompletableFuture<Void>> open = new ConcurrentSkipListMap<>();

	RawContender(Site site) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUri(site.brokerUri());
		this.publishing = factory.newConnection("publishing");
		this.consuming = factory.newConnection("consuming");
		this.asynchronous = confirming();
		this.asynchronous.addConfirmListener(this::confirmed, (tag, many) -> {
			throw new IOException("Refused: " + tag);
		});
		this.asynchronous.queueDeclare(Site.QUEUE, true, false, false, Map.of("x-queue-type", site.queueType()));
	}

	private Channel confirming() throws IOException {
		Channel channel = this.publishing.createChannel();
		channel.confirmSelect();
		return channel;
	}

	/** What a job is sent as. */
	byte[] body(Payload job) {
		return PayloadBytes.of(job);
	}

	/** When a job that came as this was handed over. */
	long sentAt(byte[] body) {
		return PayloadBytes.sentAt(body);
	}

	/** What goes with each job. */
	BasicProperties properties() {
		return MessageProperties.PERSISTENT_BASIC;
	}

	@Override
	public void enqueue(Payload job) throws Exception {
		publish(List.of(body(job)));
	}

	@Override
	public void enqueueAll(List<Payload> jobs) throws Exception {
		List<byte[]> bodies = new ArrayList<>(jobs.size());
		for (Payload job : jobs) {
			bodies.add(body(job));
		}
		publish(bodies);
	}

	final void publish(List<byte[]> bodies) throws Exception {
		Channel idle = this.channels.poll();
		Channel channel = (idle != null) ? idle : confirming();
		for (byte[] body : bodies) {
			channel.basicPublish("", Site.QUEUE, true, properties(), body);
		}
		channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
		this.channels.add(channel);
	}

	@Override
	public CompletableFuture<?> enqueueAsync(Payload job) {
		CompletableFuture<Void> confirmed = new CompletableFuture<>();
		synchronized (this.asynchronous) {
			this.open.put(this.asynchronous.getNextPublishSeqNo(), confirmed);
			try {
				this.asynchronous.basicPublish("", Site.QUEUE, true, properties(), body(job));
			}
			catch (IOException ex) {
				confirmed.completeExceptionally(ex);
			}
		}
		return confirmed;
	}

	private void confirmed(long tag, boolean many) {
		if (!many) {
			CompletableFuture<Void> one = this.open.remove(tag);
			one.complete(null);
			return;
		}
		Map<Long, CompletableFuture<Void>> all = this.open.headMap(tag, true);
		all.values().forEach((each) -> each.complete(null));
		all.clear();
	}

	@Override
	public void work(Handler handler) throws Exception {
		for (int i = 0; i < Setting.CONSUMERS; i++) {
			Channel channel = consuming();
			channel.basicConsume(Site.QUEUE, false, new DefaultConsumer(channel) {

				@Override
				public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties,
						byte[] body) throws IOException {
					work(handler, body);
					getChannel().basicAck(envelope.getDeliveryTag(), false);
				}

			});
		}
	}

	final Channel consuming() throws IOException {
		Channel channel = this.consuming.createChannel();
		channel.basicQos(Setting.PREFETCH);
		return channel;
	}

	void work(Handler handler, byte[] body) throws IOException {
		handler.handle(sentAt(body));
	}

	@Override
	public void settle() throws Exception {
		Settled.await("the queue is empty", () -> {
			synchronized (this.asynchronous) {
				return this.asynchronous.messageCount(Site.QUEUE) == 0;
			}
		});
	}

	@Override
	public void close() throws IOException {
		this.publishing.close();
		this.consuming.close();
	}

}
