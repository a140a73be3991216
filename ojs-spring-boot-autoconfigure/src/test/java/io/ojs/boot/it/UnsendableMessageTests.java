package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that AMQP cannot carry does not take its neighbours on the same channel
 * along.
 */
class UnsendableMessageTests extends BrokerTest {

	@Test
	void neighboursOfAMessageThatCannotBeSentAreConfirmed() throws Exception {
		String queue = client().channel().queueDeclare("plain", true, false, false, null).getQueue();
		try (Application application = application().start()) {
			List<OutgoingMessage> messages = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				messages.add(message(queue, "short"));
				messages.add(message(queue, "x".repeat(131_072)));
				messages.add(message(queue, new Object()));
			}
			ConfirmingPublisher publisher = application.bean(ConfirmingPublisher.class);
			publisher.connection().await(Duration.ofSeconds(10));
			List<? extends PublishOutcome> outcomes = publisher.publishAll(messages)
				.stream()
				.map(CompletableFuture::join)
				.toList();
			for (int i = 0; i < outcomes.size(); i++) {
				assertThat(outcomes.get(i))
					.isInstanceOf((i % 3 == 0) ? PublishOutcome.Confirmed.class : PublishOutcome.Unsendable.class);
			}
			assertThat(((PublishOutcome.Unsendable) outcomes.get(1)).cause()).hasMessageContainingAll("take 131",
					"a frame of this connection has 131072");
		}
		assertThat(client().drain("plain")).hasSize(20);
	}

	private static OutgoingMessage message(String queue, Object header) {
		return new OutgoingMessage("", queue,
				RawClient.properties("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "any.take")
					.headers(Map.of("x-odd", header))
					.build(),
				new byte[] { 1 });
	}

}
