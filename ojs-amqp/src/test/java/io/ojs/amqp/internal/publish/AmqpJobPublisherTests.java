package io.ojs.amqp.internal.publish;

import java.util.List;

import com.rabbitmq.client.ShutdownSignalException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that fails for reasons of its own becomes a dead letter after some tries, so only
 * what is surely of the job counts.
 */
class AmqpJobPublisherTests {

	@Test
	void onlyWhatIsSurelyOfTheJobCountsAgainstIt() {
		ShutdownSignalException ofChannel = new ShutdownSignalException(false, false, null, null);
		ShutdownSignalException byApplication = new ShutdownSignalException(false, true, null, null);
		assertThat(List.of(new PublishOutcome.Unsendable(new IllegalArgumentException("too long")),
				new PublishOutcome.Refused(406, "message size is larger than configured")))
			.allMatch(AmqpJobPublisher::isOfJob);
		assertThat(List.of(new PublishOutcome.Lost(ofChannel), new PublishOutcome.Lost(byApplication),
				new PublishOutcome.Refused(404, "no exchange"), new PublishOutcome.Nacked(),
				new PublishOutcome.Unknown()))
			.noneMatch(AmqpJobPublisher::isOfJob);
	}

}
