package io.ojs.boot.it;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.job.JobRequest;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.PublishReport;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker that closes a channel has not said of which of the messages in flight: each of
 * them is published once more, alone.
 */
class LostChannelTests extends StoreCrashFixture {

	@Test
	void jobsOfALostChannelAreToldApartOneByOne() throws Exception {
		try (Application observer = observer().start()) {
			JobPublisher publisher = observer.bean(JobPublisher.class);
			JobFactory factory = observer.bean(JobFactory.class);
			List<RelayedJob> jobs = IntStream.range(0, 3)
				.mapToObj((i) -> relayed(factory.create(JobRequest.of("desk.write", i).queue("desk"))))
				.toList();
			assertThat(publisher.publish(jobs).join().confirmed()).hasSize(3);
			client().channel().exchangeDelete("ojs.exchange.direct");
			PublishReport report = publisher.publish(jobs).join();
			assertThat(report.confirmed()).isEmpty();
			assertThat(report.failed()).isEmpty();
			assertThat(report.refused()).hasSize(3).allSatisfy((id, reason) -> assertThat(reason).contains("404"));
			assertThat(publisher.publish(jobs).join().confirmed()).as("it is declared again").hasSize(3);
		}
	}

	private static RelayedJob relayed(EncodedJob job) {
		return new RelayedJob(job, Map.of(), Instant.now());
	}

}
