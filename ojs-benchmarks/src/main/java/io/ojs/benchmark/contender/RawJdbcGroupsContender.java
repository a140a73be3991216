package io.ojs.benchmark.contender;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of RabbitMQ and rows by hand, in groups: rows are inserted in one
 * transaction and their messages confirmed together; a consumer takes what has come, at
 * most a group and without waiting for more, and settles it with two transactions and one
 * acknowledgement.
 */
final class RawJdbcGroupsContender extends RawJdbcContender {

	private static final Logger logger = LoggerFactory.getLogger(RawJdbcGroupsContender.class);

	private final List<Thread> workers = new ArrayList<>();

	RawJdbcGroupsContender(Site site) throws Exception {
		super(site);
	}

	@Override
	public void enqueueAll(List<Payload> jobs) throws Exception {
		for (int from = 0; from < jobs.size(); from += JobRows.GROUP) {
			List<Payload> some = jobs.subList(from, Math.min(from + JobRows.GROUP, jobs.size()));
			List<byte[]> payloads = some.stream().map(PayloadBytes::of).toList();
			long[] ids = rows().insert(payloads);
			List<byte[]> messages = new ArrayList<>(ids.length);
			for (int i = 0; i < ids.length; i++) {
				messages.add(message(ids[i], payloads.get(i)));
			}
			publish(messages);
		}
	}

	@Override
	public void work(Handler handler) throws IOException {
		for (int i = 0; i < Setting.CONSUMERS; i++) {
			Channel channel = consuming();
			BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
			Thread worker = new Thread(() -> loop(handler, channel, deliveries), "worker-" + i);
			worker.start();
			this.workers.add(worker);
			channel.basicConsume(Site.QUEUE, false, new DefaultConsumer(channel) {

				@Override
				public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties,
						byte[] body) {
					deliveries.add(new Delivery(envelope.getDeliveryTag(), body));
				}

			});
		}
	}

	private void loop(Handler handler, Channel channel, BlockingQueue<Delivery> deliveries) {
		List<Delivery> group = new ArrayList<>(JobRows.GROUP);
		try {
			while (!Thread.currentThread().isInterrupted()) {
				group.add(deliveries.take());
				deliveries.drainTo(group, JobRows.GROUP - 1);
				work(handler, group);
				channel.basicAck(group.get(group.size() - 1).tag(), true);
				group.clear();
			}
		}
		catch (InterruptedException ex) {
			// Closed.
		}
		catch (IOException | SQLException ex) {
			logger.error("A worker ends", ex);
		}
	}

	private void work(Handler handler, List<Delivery> group) throws SQLException {
		Long[] ids = group.stream().map((each) -> id(each.body())).toArray(Long[]::new);
		rows().set("active", ids);
		group.forEach((each) -> handler.handle(sentAt(each.body())));
		rows().set("completed", ids);
	}

	@Override
	public void close() throws IOException {
		try {
			for (Thread worker : this.workers) {
				worker.interrupt();
				worker.join(TimeUnit.SECONDS.toMillis(10));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		super.close();
	}

	/**
	 * What a consumer was sent.
	 *
	 * @param tag for its acknowledgement
	 * @param body the message
	 */
	private record Delivery(long tag, byte[] body) {

	}

}
