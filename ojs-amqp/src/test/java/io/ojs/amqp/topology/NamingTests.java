package io.ojs.amqp.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
	@MethodSource("namings")
	void areTheirsAlone(OjsNaming naming) {
		List<String> queues = new ArrayList<>();
		// Names that OJS allows and that look like parts of others.
		for (String queue : List.of("email", "email.250", "dlx", "dead", "retry", "direct", "email.dlx", "dead.email",
				"250")) {
			queues.addAll(List.of(naming.jobQueue(queue), naming.deadLetterQueue(queue), naming.retryLane(queue, 250),
					naming.retryLane(queue, 375), naming.undecodableQueue(queue)));
		}
		assertThat(queues).doesNotHaveDuplicates();
		assertThat(List.of(naming.directExchange(), naming.deadLetterExchange(), naming.retryExchange()))
			.doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@MethodSource("namings")
	void routingKeysOfLanesAreTheirsAlone(OjsNaming naming) {
		Set<String> keys = new HashSet<>();
		for (String queue : List.of("email", "email.250", "250", "email.250.250")) {
			for (long lane : new long[] { 125, 250, 250_250 }) {
				assertThat(keys.add(naming.retryRoutingKey(queue, lane))).isTrue();
			}
		}
		assertThat(naming.retryRoutingKey("email", 1500)).isEqualTo("email.1500");
	}

	@ParameterizedTest
	@MethodSource("prefixed")
	void haveThePrefixAllOfThem(OjsNaming naming) {
		assertThat(List.of(naming.directExchange(), naming.deadLetterExchange(), naming.retryExchange(),
				naming.jobQueue("email"), naming.deadLetterQueue("email"), naming.retryLane("email", 250),
				naming.undecodableQueue("email")))
			.allMatch((name) -> name.startsWith("tenant1.ojs."));
	}

	static Stream<OjsNaming> prefixed() {
		return Stream.of(new BindingNaming("tenant1."), new GuideNaming("tenant1."));
	}

}
