package io.ojs.boot.it;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.impl.AMQCommand;
import com.rabbitmq.client.impl.Frame;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.fault.Direction;
import io.ojs.test.internal.fault.FaultProxy;

/**
 * Stands between applications and the broker and records each AMQP method that passes, in
 * the order in which the two ends heard of it.
 */
final class AmqpWire implements AutoCloseable {

	private static final int FRAME_HEADER = 7;

	private static final int SIZE_AT = 3;

	private static final int MAX_FRAME = 1 << 20;

	private final FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());

	private final List<Passed> passed = new CopyOnWriteArrayList<>();

	AmqpWire() {
		this.proxy.copyTo(Frames::new);
	}

	String uri(VirtualHost virtualHost) {
		return this.proxy.uri(virtualHost);
	}

	FaultProxy proxy() {
		return this.proxy;
	}

	/** All that has passed. */
	List<Passed> passed() {
		return List.copyOf(this.passed);
	}

	/** The methods of one kind that have passed. */
	<M extends Method> List<M> all(Class<M> type) {
		return of(type).map((passed) -> passed.as(type)).toList();
	}

	<M extends Method> Stream<Passed> of(Class<M> type) {
		return this.passed.stream().filter((passed) -> type.isInstance(passed.method()));
	}

	/** What was published with the id of this job. */
	List<Passed> published(String jobId) {
		return of(AMQP.Basic.Publish.class).filter((passed) -> jobId.equals(passed.properties().getMessageId()))
			.toList();
	}

	@Override
	public void close() {
		this.proxy.close();
	}

	/**
	 * A method that has passed.
	 *
	 * @param at when, by {@link System#nanoTime()}
	 * @param channel tells the channel from those of all connections
	 * @param method the method
	 * @param properties those of the message; without one they are empty
	 * @param body the message as text; without one it is empty
	 */
	record Passed(long at, String channel, Method method, BasicProperties properties, String body) {

		<M extends Method> M as(Class<M> type) {
			return type.cast(this.method);
		}

	}

	/**
	 * One way of one connection.
	 */
	private final class Frames extends OutputStream {

		private final int connection;

		private final Map<Integer, AMQCommand> commands = new HashMap<>();

		private byte[] pending = new byte[0];

		Frames(int connection, Direction direction) {
			this.connection = connection;
		}

		@Override
		public void write(int single) throws IOException {
			write(new byte[] { (byte) single }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			ByteBuffer all = ByteBuffer.allocate(this.pending.length + length)
				.put(this.pending)
				.put(bytes, offset, length)
				.flip();
			if (all.remaining() >= Long.BYTES && all.get(0) == 'A') {
				// The protocol header, before the first frame.
				all.position(Long.BYTES);
			}
			while (all.remaining() > FRAME_HEADER
					&& all.getInt(all.position() + SIZE_AT) < all.remaining() - FRAME_HEADER) {
				byte[] frame = new byte[FRAME_HEADER + all.getInt(all.position() + SIZE_AT) + 1];
				all.get(frame);
				pass(Frame.readFrom(new DataInputStream(new ByteArrayInputStream(frame)), MAX_FRAME));
			}
			this.pending = Arrays.copyOfRange(all.array(), all.position(), all.limit());
		}

		private void pass(Frame frame) throws IOException {
			if (frame.type == AMQP.FRAME_HEARTBEAT) {
				return;
			}
			AMQCommand command = this.commands.computeIfAbsent(frame.channel, (channel) -> new AMQCommand());
			if (command.handleFrame(frame)) {
				this.commands.remove(frame.channel);
				BasicProperties properties = (command.getContentHeader() instanceof BasicProperties read) ? read
						: new BasicProperties();
				byte[] body = (command.getContentBody() != null) ? command.getContentBody() : new byte[0];
				AmqpWire.this.passed.add(new Passed(System.nanoTime(), this.connection + "/" + frame.channel,
						command.getMethod(), properties, new String(body, StandardCharsets.UTF_8)));
			}
		}

	}

}
