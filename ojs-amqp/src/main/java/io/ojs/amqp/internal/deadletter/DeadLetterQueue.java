package io.ojs.amqp.internal.deadletter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.ErrorCode;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.amqp.internal.message.JobMessages;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter queue during one replay, over a channel of its own. Closing it returns
 * unacked messages to the queue.
 */
final class DeadLetterQueue implements AutoCloseable {

	private static final int RESOURCE_LOCKED = 405;

	private static final int ACCESS_REFUSED = 403;

	private static final int NOT_FOUND = 404;

	private static final long POLL_MILLIS = 250;

	/** After so many polls of an empty queue, other consumers must hold the rest. */
	private static final int POLLS_WHEN_EMPTY = 8;

	/** A busy broker may take long to deliver. */
	private static final int POLLS = 120;

	private final Channel channel;

	private final Deliveries deliveries;

	private final String name;

	private DeadLetterQueue(Channel channel, JobMessages messages, String name) {
		this.channel = channel;
		this.deliveries = new Deliveries(channel, messages);
		this.name = name;
		channel.setDefaultConsumer(this.deliveries);
	}

	/**
	 * Opens the queue. Only one replay at a time can.
	 * @throws ReplayRefusedException if it does not exist or is being replayed
	 */
	static DeadLetterQueue open(Channel channel, JobMessages messages, OjsNaming naming, String queue)
			throws IOException {
		String name = naming.deadLetterQueue(queue);
		try {
			channel.queueDeclarePassive(name);
		}
		catch (IOException ex) {
			throw refused(ex, Map.of(NOT_FOUND, "There is no dead letter queue '" + name + "'. Check the queue '"
					+ queue + "' and the naming and prefix of the application that works it."));
		}
		// The broker deletes an exclusive queue with its connection, so no lock outlives
		// its process. No OJS queue has an underscore in its name.
		String lock = name + "._replay";
		String locked = "The dead letters of queue '" + queue + "' are being replayed already. Wait until that is "
				+ "done; a process that was cut off holds the lock '" + lock + "' until its heartbeat is missed.";
		try {
			channel.queueDeclare(lock, false, true, true, Map.of());
			channel.basicConsume(lock, true, "", false, true, Map.of(), new DefaultConsumer(channel));
		}
		catch (IOException ex) {
			throw refused(ex, Map.of(RESOURCE_LOCKED, locked, ACCESS_REFUSED, locked));
		}
		return new DeadLetterQueue(channel, messages, name);
	}

	private static RuntimeException refused(IOException ex, Map<Integer, String> reasons) throws IOException {
		if (ex.getCause() instanceof ShutdownSignalException signal
				&& signal.getReason() instanceof com.rabbitmq.client.AMQP.Channel.Close close) {
			String reason = reasons.get(close.getReplyCode());
			boolean permission = close.getReplyCode() == ACCESS_REFUSED
					&& !close.getReplyText().contains("exclusive use");
			throw new ReplayRefusedException(code(close.getReplyCode(), permission),
					(reason != null && !permission) ? reason : "The broker refuses the replay: " + close.getReplyText(),
					ex);
		}
		throw ex;
	}

	private static ErrorCode code(int replyCode, boolean permission) {
		if (permission) {
			return ErrorCode.PERMISSION_DENIED;
		}
		return switch (replyCode) {
			case NOT_FOUND -> ErrorCode.NOT_FOUND;
			// Another replay is running; the caller may try again later.
			case RESOURCE_LOCKED, ACCESS_REFUSED -> ErrorCode.RATE_LIMITED;
			default -> ErrorCode.BACKEND_ERROR;
		};
	}

	String name() {
		return this.name;
	}

	/** The longest frame in bytes; 0 for no limit. */
	int frameMax() {
		return this.channel.getConnection().getFrameMax();
	}

	boolean isLost() {
		return !this.channel.isOpen();
	}

	/** Messages that are ready. */
	long count() throws IOException {
		return this.channel.messageCount(this.name);
	}

	/**
	 * Takes the next messages and no further ones. The broker would have to requeue
	 * those, and a quorum queue drops messages that are requeued too often.
	 * @return at most that many; fewer if the queue has no more
	 */
	List<DeadLetter> take(int most) throws IOException {
		List<DeadLetter> taken = new ArrayList<>(most);
		this.deliveries.drainTo(taken);
		if (!taken.isEmpty()) {
			return taken;
		}
		this.channel.basicQos(most);
		String consumer = this.channel.basicConsume(this.name, false, this.deliveries);
		try {
			await(taken, most);
		}
		finally {
			// Before the first ack, after which the broker would deliver more.
			this.channel.basicCancel(consumer);
		}
		this.deliveries.drainTo(taken);
		return taken;
	}

	private void await(List<DeadLetter> taken, int most) throws IOException {
		int idle = 0;
		while (taken.size() < most && !Thread.currentThread().isInterrupted()) {
			DeadLetter next = this.deliveries.poll();
			if (next != null) {
				taken.add(next);
				idle = 0;
				continue;
			}
			idle++;
			long waiting = count();
			if (this.deliveries.cancelled || (waiting > 0 && taken.isEmpty() && idle >= POLLS)) {
				throw new IOException("The broker has " + waiting + " dead letters in '" + this.name
						+ "' and hands out none; has the queue been deleted, or does another program consume it?");
			}
			if (waiting == 0 && idle >= POLLS_WHEN_EMPTY || idle >= POLLS) {
				return;
			}
		}
	}

	/**
	 * Acks settled messages, with one ack if all are settled: a quorum queue may keep
	 * single acks back, and loses them when the channel closes.
	 * @param settled those of them that the broker has elsewhere
	 */
	void ack(List<DeadLetter> taken, Set<DeadLetter> settled) throws IOException {
		if (!taken.isEmpty() && settled.size() == taken.size()) {
			this.channel.basicAck(taken.get(taken.size() - 1).tag(), true);
			return;
		}
		for (DeadLetter letter : settled) {
			this.channel.basicAck(letter.tag(), false);
		}
	}

	@Override
	public void close() {
		try {
			this.channel.close();
		}
		catch (IOException | TimeoutException | ShutdownSignalException ex) {
			// The channel is closed already.
		}
	}

	/**
	 * Receives deliveries. Some may arrive after the consumer was cancelled; the next
	 * {@link DeadLetterQueue#take} returns them.
	 */
	private static final class Deliveries extends DefaultConsumer {

		private final BlockingQueue<DeadLetter> delivered = new LinkedBlockingQueue<>();

		private final JobMessages messages;

		private volatile boolean cancelled;

		Deliveries(Channel channel, JobMessages messages) {
			super(channel);
			this.messages = messages;
		}

		@Override
		public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
			this.delivered.add(DeadLetter.read(envelope.getDeliveryTag(), properties, body, this.messages));
		}

		@Override
		public void handleCancel(String tag) {
			this.cancelled = true;
		}

		@Nullable DeadLetter poll() {
			try {
				return this.delivered.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return null;
			}
		}

		void drainTo(List<DeadLetter> taken) {
			this.delivered.drainTo(taken);
		}

	}

}
