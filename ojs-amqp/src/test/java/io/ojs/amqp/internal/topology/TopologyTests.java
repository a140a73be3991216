package io.ojs.amqp.internal.topology;

import java.util.List;
import java.util.Map;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.Ordering;
import io.ojs.amqp.QueueKind;
import io.ojs.queue.Delivery;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Queues, arguments, bindings and what they are called.
 */
class TopologyTests {

	@Test
	void exchangesAreDurableAndDirect() {
		List<Declarable> exchanges = new Topology(new BindingNaming(""), QueueSettings::defaults).exchanges();
		assertThat(exchanges).extracting((exchange) -> ((Exchange) exchange).getName())
			.containsExactly("ojs.exchange.direct", "ojs.exchange.dlx", "ojs.exchange.retry");
		assertThat(exchanges).allSatisfy((exchange) -> {
			assertThat(((Exchange) exchange).getType()).isEqualTo("direct");
			assertThat(((Exchange) exchange).isDurable()).isTrue();
			assertThat(((Exchange) exchange).isAutoDelete()).isFalse();
		});
	}

	@Test
	void quorumQueueMovesItsDeadLettersAtLeastOnceAndHasAPlaceForThemFirst() {
		List<Declarable> declared = new Topology(new BindingNaming("one."), QueueSettings::defaults).queue("email");
		Queue deadLetters = (Queue) declared.get(0);
		assertThat(deadLetters.getName()).isEqualTo("one.ojs.queue.dlx.email");
		assertThat(deadLetters.getArguments()).isEqualTo(Map.of("x-queue-type", "quorum"));
		assertBinding(declared.get(1), "one.ojs.exchange.dlx", "email", "one.ojs.queue.dlx.email");
		Queue jobs = (Queue) declared.get(2);
		assertThat(jobs.getName()).isEqualTo("one.ojs.queue.email");
		assertThat(jobs.isDurable()).isTrue();
		assertThat(jobs.isExclusive()).isFalse();
		assertThat(jobs.isAutoDelete()).isFalse();
		assertThat(jobs.getArguments()).isEqualTo(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange",
				"one.ojs.exchange.dlx", "x-dead-letter-routing-key", "email", "x-dead-letter-strategy", "at-least-once",
				"x-overflow", "reject-publish", "x-delivery-limit", 20));
		assertBinding(declared.get(3), "one.ojs.exchange.direct", "email", "one.ojs.queue.email");
		assertThat(declared).hasSize(4);
	}

	@Test
	void queueThatIsOrderedByKeyHasShardsWithRetryQueuesOfTheirOwnAndOnePlaceForDeadLetters() {
		Topology topology = new Topology(new BindingNaming(""), (name) -> new QueueSettings(name, QueueKind.QUORUM, 20,
				Map.of(), 1, 1, RetryPolicy.DEFAULT, Ordering.KEY, 2, Delivery.BROKER));
		List<Declarable> declared = topology.queue("email");
		assertThat(declared).filteredOn(Queue.class::isInstance)
			.extracting((queue) -> ((Queue) queue).getName())
			.containsExactly("ojs.queue.dlx.email", "ojs.queue.email", "ojs.queue.email_0", "ojs.queue.email_1");
		assertBinding(declared.get(7), "ojs.exchange.direct", "email_1", "ojs.queue.email_1");
		assertThat(((Queue) declared.get(6)).getArguments()).containsEntry("x-single-active-consumer", true)
			.containsEntry("x-dead-letter-routing-key", "email");
		List<Declarable> retryQueue = topology.retryQueue(topology.shards("email").get(1), 1500);
		assertThat(((Queue) retryQueue.get(0)).getName()).isEqualTo("ojs.queue.retry.email_1.1500");
		assertThat(((Queue) retryQueue.get(0)).getArguments()).containsEntry("x-dead-letter-routing-key", "email_1");
		assertThat(topology.due("email")).extracting((binding) -> ((Binding) binding).getRoutingKey())
			.containsExactly("email._.#", "email_0._.#", "email_1._.#");
	}

	@Test
	void retryQueueOfAClassicQueueThatCanBeFullIsAQuorumQueue() {
		Topology topology = new Topology(new BindingNaming(""), (name) -> new QueueSettings(name, QueueKind.CLASSIC, 20,
				Map.of("x-max-length", 10L), 0, 10, RetryPolicy.DEFAULT));
		assertThat(((Queue) topology.retryQueue(Shard.whole("email"), 1000).get(0)).getArguments())
			.containsEntry("x-queue-type", "quorum")
			.containsEntry("x-dead-letter-strategy", "at-least-once");
	}

	@Test
	@Tag("GUIDE-1-2")
	void classicQueueHasNoneOfAQuorumQueuesArguments() {
		Topology topology = new Topology(new BindingNaming(""), (name) -> new QueueSettings(name, QueueKind.CLASSIC, 20,
				Map.of("x-max-priority", 10L), 0, 10, RetryPolicy.DEFAULT));
		assertThat(((Queue) topology.queue("email").get(2)).getArguments())
			.isEqualTo(Map.of("x-queue-type", "classic", "x-dead-letter-exchange", "ojs.exchange.dlx",
					"x-dead-letter-routing-key", "email", "x-overflow", "reject-publish", "x-max-priority", 10L));
		assertThat(((Queue) topology.retryQueue(Shard.whole("email"), 1000).get(0)).getArguments())
			.isEqualTo(Map.of("x-queue-type", "classic", "x-dead-letter-exchange", "ojs.exchange.direct",
					"x-dead-letter-routing-key", "email", "x-message-ttl", 1000L));
	}

	@Test
	@Tag("GUIDE-5-1")
	void retryQueueExpiresBackIntoTheJobQueue() {
		List<Declarable> retryQueue = new Topology(new BindingNaming(""), QueueSettings::defaults)
			.retryQueue(Shard.whole("email"), 1500);
		assertThat(((Queue) retryQueue.get(0)).getName()).isEqualTo("ojs.queue.retry.email.1500");
		assertThat(((Queue) retryQueue.get(0)).getArguments()).containsEntry("x-message-ttl", 1500L)
			.containsEntry("x-dead-letter-exchange", "ojs.exchange.direct")
			.containsEntry("x-dead-letter-routing-key", "email")
			.doesNotContainKey("x-expires");
		assertBinding(retryQueue.get(1), "ojs.exchange.retry", "email.1500", "ojs.queue.retry.email.1500");
	}

	@Test
	@Tag("GUIDE-1-1")
	@Tag("GUIDE-1-3")
	@Tag("GUIDE-1-4")
	@Tag("GUIDE-1-5")
	void guidesNames() {
		OjsNaming guide = new GuideNaming("");
		assertThat(List.of(guide.directExchange(), guide.deadLetterExchange(), guide.retryExchange(),
				guide.jobQueue("email"), guide.deadLetterQueue("email")))
			.containsExactly("ojs.direct", "ojs.dlx", "ojs.retry", "ojs.queue.email", "ojs.dead.email");
	}

	private static void assertBinding(Declarable declarable, String exchange, String routingKey, String queue) {
		Binding binding = (Binding) declarable;
		assertThat(List.of(binding.getExchange(), binding.getRoutingKey(), binding.getDestination()))
			.containsExactly(exchange, routingKey, queue);
	}

}
