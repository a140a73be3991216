package io.ojs.amqp.internal.publish;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of each message in flight, whatever order the broker answers in.
 */
class ChannelConfirmsTests {

	private final ChannelConfirms confirms = new ChannelConfirms(AmqpMetrics.NONE);

	private final AtomicLong sequence = new AtomicLong(1);

	private final List<String> published = new ArrayList<>();

	private boolean closed;

	@Test
	void confirmMayBeForOneMessageOrForAllUpToIt() {
		List<CompletableFuture<PublishOutcome>> outcomes = publish("a", "b", "c", "d");
		this.confirms.handleAck(2, false);
		assertThat(outcomes).extracting(CompletableFuture::isDone).containsExactly(false, true, false, false);
		this.confirms.handleAck(3, true);
		assertThat(outcomes).extracting(CompletableFuture::isDone).containsExactly(true, true, true, false);
		this.confirms.handleNack(4, true);
		assertThat(outcomes.subList(0, 3)).allMatch((done) -> done.join() instanceof PublishOutcome.Confirmed);
		assertThat(outcomes.get(3).join()).isEqualTo(new PublishOutcome.Nacked());
		assertThat(this.published).containsExactly("a", "b", "c", "d");
	}

	@Test
	void messageThatWasReturnedIsConfirmedTooButNotSafe() {
		List<CompletableFuture<PublishOutcome>> outcomes = publish("a", "b");
		this.confirms.handleReturn(312, "NO_ROUTE", "e", "k", properties("a"), new byte[0]);
		assertThat(outcomes.get(0)).isNotDone();
		this.confirms.handleAck(2, true);
		assertThat(outcomes.get(0).join()).isEqualTo(new PublishOutcome.Returned(312, "NO_ROUTE"));
		assertThat(outcomes.get(1).join()).isEqualTo(new PublishOutcome.Confirmed());
		// The same message once more, now with a way to go.
		CompletableFuture<PublishOutcome> again = publish("a").get(0);
		this.confirms.handleAck(3, false);
		assertThat(again.join()).isEqualTo(new PublishOutcome.Confirmed());
	}

	@Test
	void channelThatClosesTakesWhatIsInFlightIntoTheUnknown() {
		List<CompletableFuture<PublishOutcome>> outcomes = publish("a", "b");
		this.confirms.handleAck(1, false);
		ShutdownSignalException cause = new ShutdownSignalException(true, false, null, null);
		this.confirms.shutdownCompleted(cause);
		assertThat(outcomes.get(0).join()).isEqualTo(new PublishOutcome.Confirmed());
		assertThat(outcomes.get(1).join()).isEqualTo(new PublishOutcome.Lost(cause));
	}

	@Test
	void brokerThatClosesTheChannelRefusesTheOnlyMessageAndAnApplicationThatDoesRefusesNone() {
		AMQP.Channel.Close close = new AMQP.Channel.Close.Builder().replyCode(404).replyText("NOT_FOUND").build();
		CompletableFuture<PublishOutcome> only = publish("a").get(0);
		this.confirms.shutdownCompleted(new ShutdownSignalException(false, false, close, null));
		assertThat(only.join()).isEqualTo(new PublishOutcome.Refused(404, "NOT_FOUND"));
		CompletableFuture<PublishOutcome> sent = publish("b").get(0);
		this.confirms.shutdownCompleted(new ShutdownSignalException(false, true, close, null));
		assertThat(sent.join()).as("the broker may have it").isInstanceOf(PublishOutcome.Lost.class);
	}

	@Test
	void publishThatFailsIsLostAtOnceAndConfirmsOfOthersAreNotItsOwn() {
		this.closed = true;
		assertThat(publish("a").get(0).join()).isInstanceOf(PublishOutcome.Lost.class);
		this.closed = false;
		CompletableFuture<PublishOutcome> next = publish("b").get(0);
		this.confirms.handleAck(1, false);
		assertThat(next.join()).isEqualTo(new PublishOutcome.Confirmed());
	}

	@Test
	void channelIsIdleWhenAllIsAnswered() {
		assertThat(this.confirms.isIdle()).isTrue();
		publish("a", "b");
		this.confirms.handleAck(1, false);
		assertThat(this.confirms.isIdle()).isFalse();
		this.confirms.handleNack(2, false);
		assertThat(this.confirms.isIdle()).isTrue();
	}

	private List<CompletableFuture<PublishOutcome>> publish(String... ids) {
		List<CompletableFuture<PublishOutcome>> outcomes = new ArrayList<>();
		for (String id : ids) {
			outcomes.add(this.confirms.publish(channel(), new OutgoingMessage("e", "k", properties(id), new byte[0])));
		}
		return outcomes;
	}

	private static BasicProperties properties(String id) {
		return new BasicProperties.Builder().messageId(id).build();
	}

	/**
	 * Numbers its messages as a broker's channel does: one that was not sent gets none.
	 */
	private Channel channel() {
		return (Channel) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Channel.class },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "getNextPublishSeqNo" -> this.sequence.get();
					case "basicPublish" -> {
						if (this.closed) {
							throw new AlreadyClosedException(new ShutdownSignalException(true, false, null, null));
						}
						this.sequence.incrementAndGet();
						assertThat(arguments[2]).as("mandatory").isEqualTo(true);
						this.published.add(((BasicProperties) arguments[3]).getMessageId());
						yield null;
					}
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

}
