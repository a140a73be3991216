package io.ojs.amqp.internal.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.delay.DelayLevels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.Queue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that is sent into the delay levels comes out of them into its queue, once,
 * and after as many seconds as its routing key says: followed through what is declared,
 * by the rules of topic exchanges and of queues whose messages expire.
 */
class DelayLevelsTests {

	/** Names that OJS allows and that look like bits, or like each other. */
	private static final List<String> QUEUES = List.of("email", "0", "1", "0.1", "1.0.1", "email.1", "e.mail", "a..b",
			"a.", "email.email", "delay", "x".repeat(128));

	static Stream<OjsNaming> namings() {
		return Stream.of(new BindingNaming(""), new GuideNaming("tenant1."));
	}

	@ParameterizedTest
	@MethodSource("namings")
	void bringEachMessageToItsQueueAfterItsDelay(OjsNaming naming) {
		Broker broker = new Broker(naming, DelayLevels.HIGHEST);
		Random random = new Random(17);
		List<Long> delays = new ArrayList<>(
				List.of(1L, 2L, 3L, 4L, 7L, 8L, 3600L, 86_400L, (1L << 27), (1L << 28) - 1));
		for (int i = 0; i < 200; i++) {
			delays.add(1 + (long) Math.pow(2, random.nextDouble() * 27.9));
		}
		for (long seconds : delays) {
			String queue = QUEUES.get(random.nextInt(QUEUES.size()));
			assertThat(broker.publish(queue, seconds)).as("%d seconds for %s", seconds, queue)
				.containsExactly(naming.jobQueue(queue) + " after " + seconds * 1000);
		}
	}

	@ParameterizedTest
	@MethodSource("namings")
	void neverLetGoOfAMessageBeforeThereIsAPlaceForIt(OjsNaming naming) {
		Set<String> there = new HashSet<>();
		for (Declarable declarable : topology(naming).delayLevels(DelayLevels.HIGHEST)) {
			if (declarable instanceof Queue queue) {
				assertThat(there).contains((String) queue.getArguments().get("x-dead-letter-exchange"));
				there.add(queue.getName());
			}
			else if (declarable instanceof Exchange exchange) {
				there.add(exchange.getName());
			}
			else {
				Binding binding = (Binding) declarable;
				assertThat(there).contains(binding.getExchange(), binding.getDestination());
			}
		}
	}

	@Test
	void areQueuesThatMoveTheirMessagesAtLeastOnce() {
		List<Queue> queues = topology(new BindingNaming("")).delayLevels(2)
			.stream()
			.filter(Queue.class::isInstance)
			.map(Queue.class::cast)
			.toList();
		assertThat(queues).extracting(Queue::getName)
			.containsExactly("ojs.queue.delay.0", "ojs.queue.delay.1", "ojs.queue.delay.2");
		assertThat(queues).extracting((queue) -> queue.getArguments().get("x-message-ttl"))
			.containsExactly(1000L, 2000L, 4000L);
		// Without a routing key of their own: the message keeps its bits.
		assertThat(queues.get(1).getArguments())
			.isEqualTo(Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "ojs.exchange.delay.0",
					"x-dead-letter-strategy", "at-least-once", "x-overflow", "reject-publish", "x-message-ttl", 2000L));
	}

	@ParameterizedTest
	@CsvSource({ "PT1S, 1", "PT0.000000001S, 1", "PT1.000000001S, 2", "PT59.999S, 60", "PT0S, 0", "PT-0.5S, 0",
			"PT-1S, 0", "P3650D, 315360000" })
	void areNeverTooShort(Duration delay, long seconds) {
		assertThat(DelayLevels.seconds(delay)).isEqualTo(seconds);
	}

	@ParameterizedTest
	@CsvSource({ "1, 0", "2, 1", "3, 1", "4, 2", "4194304, 22", "8388607, 22", "8388608, 23", "134217728, 27",
			"268435455, 27", "268435456, 28" })
	void beginAtTheHighestBit(long seconds, int level) {
		assertThat(DelayLevels.level(seconds)).isEqualTo(level);
	}

	@ParameterizedTest
	@ValueSource(ints = { DelayLevels.HIGHEST_BEFORE_3_11, DelayLevels.HIGHEST })
	void reachAsFarAsTheySay(int highest) {
		long longest = DelayLevels.longest(highest).toSeconds();
		assertThat(DelayLevels.level(longest)).isEqualTo(highest);
		assertThat(DelayLevels.level(longest + 1)).isEqualTo(highest + 1);
	}

	@Test
	void beforeRabbitMq311HaveNoTimeToLiveThatItRefuses() {
		assertThat(1000L << DelayLevels.HIGHEST_BEFORE_3_11).isLessThan(1L << 32);
		assertThat(1000L << (DelayLevels.HIGHEST_BEFORE_3_11 + 1)).isGreaterThan(1L << 32);
	}

	@Test
	void haveRoutingKeysThatAmqpCanCarry() {
		String longest = DelayLevels.routingKey("q".repeat(128), (1L << (DelayLevels.HIGHEST + 1)) - 1);
		assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(255);
		assertThat(DelayLevels.routingKey("mail.bulk", 6)).isEqualTo("mail.bulk._.1.1.0");
	}

	private static Topology topology(OjsNaming naming) {
		return new Topology(naming, QueueSettings::defaults);
	}

	/** As much of a broker as the levels need. */
	private static final class Broker {

		private final OjsNaming naming;

		private final Map<String, Queue> queues = new HashMap<>();

		private final List<Binding> bindings = new ArrayList<>();

		Broker(OjsNaming naming, int highest) {
			this.naming = naming;
			Topology topology = topology(naming);
			List<Declarable> all = new ArrayList<>(topology.delayLevels(highest));
			QUEUES.forEach((queue) -> all.addAll(topology.due(queue)));
			for (Declarable declarable : all) {
				if (declarable instanceof Queue queue) {
					this.queues.put(queue.getName(), queue);
				}
				else if (declarable instanceof Binding binding) {
					this.bindings.add(binding);
				}
			}
		}

		List<String> publish(String queue, long seconds) {
			List<String> arrivals = new ArrayList<>();
			route(this.naming.delayExchange(DelayLevels.level(seconds)), DelayLevels.routingKey(queue, seconds), 0,
					arrivals);
			return arrivals;
		}

		private void route(String exchange, String key, long waited, List<String> arrivals) {
			for (Binding binding : this.bindings) {
				if (binding.getExchange().equals(exchange)
						&& matches(binding.getRoutingKey().split("\\.", -1), 0, key.split("\\.", -1), 0)) {
					arrive(binding, key, waited, arrivals);
				}
			}
		}

		private void arrive(Binding binding, String key, long waited, List<String> arrivals) {
			if (!binding.isDestinationQueue()) {
				route(binding.getDestination(), key, waited, arrivals);
				return;
			}
			Queue queue = this.queues.get(binding.getDestination());
			if (queue == null) {
				arrivals.add(binding.getDestination() + " after " + waited);
				return;
			}
			long ttl = (long) queue.getArguments().get("x-message-ttl");
			route((String) queue.getArguments().get("x-dead-letter-exchange"), key, waited + ttl, arrivals);
		}

		private static boolean matches(String[] pattern, int i, String[] words, int j) {
			if (i == pattern.length) {
				return j == words.length;
			}
			if (pattern[i].equals("#")) {
				return matches(pattern, i + 1, words, j) || (j < words.length && matches(pattern, i, words, j + 1));
			}
			return j < words.length && (pattern[i].equals("*") || pattern[i].equals(words[j]))
					&& matches(pattern, i + 1, words, j + 1);
		}

	}

}
