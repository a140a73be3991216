package io.ojs.amqp.internal.publish;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.write.CoalescingSocketFactory;
import io.ojs.amqp.internal.write.WriteCoalescing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A return carries no number, so it has to be told by its looks which of the messages in
 * flight came back; and a message that was never sent must not be taken for one in
 * flight.
 */
class ReturnedMessageTests {

	private static final PublishOutcome.Returned RETURNED = new PublishOutcome.Returned(312, "NO_ROUTE");

	private final ChannelConfirms confirms = new ChannelConfirms(AmqpMetrics.NONE);

	private final AtomicLong sequence = new AtomicLong(1);

	private final AtomicBoolean aborted = new AtomicBoolean();

	private @Nullable Exception failure;

	@Test
	void messageWithoutAnIdIsFound() {
		CompletableFuture<PublishOutcome> outcome = publish("k", null, "body");
		returned("k", null, "body");
		this.confirms.handleAck(1, false);
		assertThat(outcome.join()).isEqualTo(RETURNED);
	}

	@Test
	void messageOfTheSameIdOnAnotherWayIsNotMeant() {
		CompletableFuture<PublishOutcome> retry = publish("retry", "id", "body");
		CompletableFuture<PublishOutcome> dead = publish("dead", "id", "body");
		returned("dead", "id", "body");
		this.confirms.handleAck(2, true);
		assertThat(retry.join()).isEqualTo(new PublishOutcome.Confirmed());
		assertThat(dead.join()).isEqualTo(RETURNED);
	}

	@Test
	void messagesThatAreAlikeAreToldApartByTheirBodies() {
		CompletableFuture<PublishOutcome> one = publish("k", "id", "one");
		CompletableFuture<PublishOutcome> two = publish("k", "id", "two");
		returned("k", "id", "two");
		this.confirms.handleAck(2, true);
		assertThat(one.join()).isEqualTo(new PublishOutcome.Confirmed());
		assertThat(two.join()).isEqualTo(RETURNED);
	}

	@Test
	void messagesThatAreTheSameComeBackOneByOne() {
		CompletableFuture<PublishOutcome> one = publish("k", "id", "same");
		CompletableFuture<PublishOutcome> two = publish("k", "id", "same");
		returned("k", "id", "same");
		returned("k", "id", "same");
		this.confirms.handleAck(2, true);
		assertThat(Stream.of(one, two).map(CompletableFuture::join)).containsExactly(RETURNED, RETURNED);
	}

	@Test
	void messageThatIsSettledIsNotMeantWhenTheSameComesBackLater() {
		// As a retry does that found no queue at first.
		publish("k", "id", "same");
		this.confirms.handleAck(1, true);
		CompletableFuture<PublishOutcome> again = publish("k", "id", "same");
		returned("k", "id", "same");
		this.confirms.handleAck(2, false);
		assertThat(again.join()).isEqualTo(RETURNED);
	}

	@Test
	void returnOfAMessageThatIsNotInFlightIsNobodys() {
		CompletableFuture<PublishOutcome> one = publish("k", "id", "body");
		returned("k", "other", "body");
		returned("other", "id", "body");
		this.confirms.handleAck(1, false);
		assertThat(one.join()).isEqualTo(new PublishOutcome.Confirmed());
	}

	@Test
	void messageThatWasReturnedAndThenRefusedDidNotArriveEitherWay() {
		CompletableFuture<PublishOutcome> one = publish("k", "id", "body");
		returned("k", "id", "body");
		this.confirms.handleNack(1, false);
		assertThat(one.join()).isEqualTo(RETURNED);
	}

	@Test
	void messageThatTheClientCannotEncodeMakesTheChannelUseless() {
		// The client counted it and the broker did not: every later confirm would be
		// taken
		// for that of the message before.
		this.failure = new IllegalArgumentException("Short string too long");
		CompletableFuture<PublishOutcome> outcome = publish("k", "id", "body");
		assertThat(outcome.join()).isEqualTo(new PublishOutcome.Unsendable(this.failure));
		assertThat(this.aborted).isTrue();
	}

	@Test
	void whoeverClosesTheChannelHasTheRestOfItsBatchWritten() throws IOException {
		this.failure = new IllegalArgumentException("Short string too long");
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Socket socket = new CoalescingSocketFactory().createSocket(server.getInetAddress(),
						server.getLocalPort());
				Socket broker = server.accept()) {
			broker.setSoTimeout(10_000);
			OutputStream frames = socket.getOutputStream();
			WriteCoalescing.together(() -> {
				try {
					frames.write('a');
					frames.flush();
					publish("k", "id", "body");
					assertThat(broker.getInputStream().read()).isEqualTo('a');
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}
	}

	@Test
	void messageThatMetAClosedOrBrokenConnectionMayHaveArrived() {
		for (Exception exception : List.of(new IOException("broken pipe"),
				new AlreadyClosedException(new ShutdownSignalException(true, false, null, null)))) {
			this.failure = exception;
			assertThat(publish("k", "id", "body").join()).isEqualTo(new PublishOutcome.Lost(exception));
		}
		assertThat(this.aborted).isFalse();
	}

	@Test
	void confirmsOfUnknownMessagesAreIgnored() {
		this.confirms.handleAck(17, false);
		this.confirms.handleNack(18, true);
		CompletableFuture<PublishOutcome> one = publish("k", "id", "body");
		assertThat(one).isNotDone();
		this.confirms.handleAck(1, false);
		this.confirms.handleNack(1, false);
		this.confirms.shutdownCompleted(new ShutdownSignalException(true, false, null, null));
		assertThat(one.join()).as("the first word counts").isEqualTo(new PublishOutcome.Confirmed());
	}

	private CompletableFuture<PublishOutcome> publish(String routingKey, @Nullable String id, String body) {
		return this.confirms.publish(channel(), new OutgoingMessage("e", routingKey, properties(id), bytes(body)));
	}

	private void returned(String routingKey, @Nullable String id, String body) {
		this.confirms.handleReturn(312, "NO_ROUTE", "e", routingKey, properties(id), bytes(body));
	}

	private static BasicProperties properties(@Nullable String id) {
		return new BasicProperties.Builder().messageId(id).build();
	}

	private static byte[] bytes(String body) {
		return body.getBytes(StandardCharsets.UTF_8);
	}

	private Channel channel() {
		return (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "getNextPublishSeqNo" -> this.sequence.get();
					case "abort" -> {
						this.aborted.set(true);
						yield null;
					}
					case "basicPublish" -> {
						if (this.failure != null) {
							throw this.failure;
						}
						this.sequence.incrementAndGet();
						yield null;
					}
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

}
