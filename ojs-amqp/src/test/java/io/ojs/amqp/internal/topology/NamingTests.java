package io.ojs.amqp.internal.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.amqp.OjsNaming;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names on the broker (AMQP binding §4.1): with a prefix each of them has it, and no two
 * things ever have the same.
 */
class NamingTests {

	static Stream<OjsNaming> namings() {
		return Stream.of(new BindingNaming(""), new BindingNaming("tenant1."), new GuideNaming(""),
				new GuideNaming("tenant1."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "tenant1." })
	@Tag("AMQP-031")
	void thoseOfTheBindingAreThoseOfItsTable(String prefix) {
		OjsNaming naming = new BindingNaming(prefix);
		assertThat(List.of(naming.jobQueue("email"), naming.directExchange(), naming.deadLetterExchange(),
				naming.deadLetterQueue("email"), naming.retryExchange(), naming.retryQueue("email", 5000),
				naming.delayedExchange(), naming.controlQueue("email")))
			.containsExactlyElementsOf(Stream
				.of("ojs.queue.email", "ojs.exchange.direct", "ojs.exchange.dlx", "ojs.queue.dlx.email",
						"ojs.exchange.retry", "ojs.queue.retry.email.5000", "ojs.exchange.delayed",
						"ojs.queue.control.email")
				.map(prefix::concat)
				.toList());
	}

	@ParameterizedTest
	@MethodSource("namings")
	void areTheirsAlone(OjsNaming naming) {
		List<String> queues = new ArrayList<>();
		// Names that OJS allows and that look like parts of others.
		for (String queue : List.of("email", "email.250", "dlx", "dead", "retry", "direct", "email.dlx", "dead.email",
				"250")) {
			queues.addAll(List.of(naming.jobQueue(queue), naming.deadLetterQueue(queue), naming.retryQueue(queue, 250),
					naming.retryQueue(queue, 375), naming.undecodableQueue(queue)));
		}
		assertThat(queues).doesNotHaveDuplicates();
		assertThat(List.of(naming.directExchange(), naming.deadLetterExchange(), naming.retryExchange()))
			.doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("namings")
	void routingKeysOfRetryQueuesAreTheirsAlone(OjsNaming naming) {
		Set<String> keys = new HashSet<>();
		for (String queue : List.of("email", "email.250", "250", "email.250.250")) {
			for (long width : new long[] { 125, 250, 250_250 }) {
				assertThat(keys.add(naming.retryRoutingKey(queue, width))).isTrue();
			}
		}
		assertThat(naming.retryRoutingKey("email", 1500)).isEqualTo("email.1500");
	}

	@ParameterizedTest
	@MethodSource("prefixed")
	@Tag("PLAY-1-2")
	void haveThePrefixAllOfThem(OjsNaming naming) {
		assertThat(List.of(naming.directExchange(), naming.deadLetterExchange(), naming.retryExchange(),
				naming.jobQueue("email"), naming.deadLetterQueue("email"), naming.retryQueue("email", 250),
				naming.undecodableQueue("email")))
			.allMatch((name) -> name.startsWith("tenant1.ojs."));
	}

	static Stream<OjsNaming> prefixed() {
		return Stream.of(new BindingNaming("tenant1."), new GuideNaming("tenant1."));
	}

}
