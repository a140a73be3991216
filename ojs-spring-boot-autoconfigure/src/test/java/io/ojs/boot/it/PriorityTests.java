package io.ojs.boot.it;

import java.util.List;
import java.util.stream.Stream;

import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A queue that tells priorities apart hands out the higher ones first.
 */
@Tag("broker-versions")
@Tag("AMQP-030")
class PriorityTests extends BrokerTest {

	@Test
	void higherPriorityComesFirstAndEqualOnesInTheirOrder() {
		try (Application application = application().property("ojs.queues.urgent.type", "classic")
			.property("ojs.queues.urgent.max-priority", 9)
			.start()) {
			List<Job> jobs = application.ojs()
				.enqueueAll(Stream.of(-100, 0, 100, 10, 0, -10)
					.map((priority) -> JobRequest.of("mail.send").queue("urgent").priority(priority))
					.toList());
			await().until(() -> client().count("ojs.queue.urgent") == 6);
			assertThat(client().drain("ojs.queue.urgent")).extracting((message) -> message.getProps().getMessageId())
				.containsExactly(id(jobs, 2), id(jobs, 3), id(jobs, 1), id(jobs, 4), id(jobs, 5), id(jobs, 0));
		}
	}

	private static String id(List<Job> jobs, int index) {
		return jobs.get(index).id();
	}

}
