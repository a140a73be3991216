package io.ojs.amqp.internal.listen;

import java.util.Map;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.queue.Delivery;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many acks of a queue may be held.
 */
class AcksTogetherTests {

	@Test
	void aQuarterOfWhatConsumersMayHold() {
		assertThat(acksTogether(5, 10, Ordering.NONE, Map.of())).isEqualTo(12);
		assertThat(acksTogether(1, 1, Ordering.NONE, Map.of())).isZero();
		assertThat(acksTogether(4, 250, Ordering.NONE, Map.of())).isEqualTo(32);
	}

	@Test
	void noneWhereTheNextJobWaitsForTheAckOfThisOne() {
		assertThat(acksTogether(5, 100, Ordering.STRICT, Map.of())).isEqualTo(1);
		assertThat(acksTogether(5, 100, Ordering.KEY, Map.of())).isEqualTo(1);
		assertThat(acksTogether(5, 100, Ordering.NONE, Map.of("x-single-active-consumer", true))).isEqualTo(1);
	}

	private static int acksTogether(int consumers, int prefetch, Ordering ordering, Map<String, Object> arguments) {
		return JobWorker.acksTogether(new QueueSettings("default", QueueKind.CLASSIC, 20, arguments, consumers,
				prefetch, RetryPolicy.DEFAULT, ordering, 8, Delivery.BROKER), consumers);
	}

}
