package io.ojs.amqp.internal.topology;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the broker says about a queue that exists with other arguments, taken apart.
 */
class DriftTests {

	private static final String BEGINNING = "channel error; protocol method: #method<channel.close>(reply-code=406, "
			+ "reply-text=PRECONDITION_FAILED - inequivalent arg ";

	private static final String END = ", class-id=50, method-id=10)";

	@ParameterizedTest
	@MethodSource
	void bothValuesAreTold(String told, String argument, String wanted, String present) {
		String answer = BEGINNING + told + END;
		assertThat(DeclaringAdmin.drift("q", answer)).isEqualTo(new Drift("q", argument, wanted, present, answer));
	}

	static Stream<Arguments> bothValuesAreTold() {
		return Stream.of(
				Arguments.of("'x-message-ttl' for queue 'q' in vhost '/': received '5' but current is '10'",
						"x-message-ttl", "5", "10"),
				Arguments.of("'x-max-length' for queue 'q' in vhost 'a': received the value '5' of type 'signedint' "
						+ "but current is none", "x-max-length", "5", null),
				Arguments.of("'x-max-length' for queue 'it's' in vhost '/': received none but current is the value "
						+ "'10' of type 'signedint'", "x-max-length", null, "10"),
				Arguments.of(
						"'x-queue-type' for queue 'q' in vhost '/': received the value 'quorum' of type 'longstr' "
								+ "but current is the value 'classic' of type 'longstr'",
						"x-queue-type", "quorum", "classic"),
				Arguments.of("'type' for exchange 'q' in vhost '/': received 'direct' but current is 'fanout'", "type",
						"direct", "fanout"));
	}

	@Test
	void textThatNobodyKnowsIsKept() {
		assertThat(DeclaringAdmin.drift("q", "something else"))
			.isEqualTo(new Drift("q", "", null, null, "something else"));
	}

}
