package io.ojs.amqp.internal.publish;

import java.util.List;

import com.rabbitmq.client.ShutdownSignalException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What several tries to publish a message say together.
 */
class PatientPublisherTests {

	private static final PublishOutcome.Lost WITH_CONNECTION = lost(true);

	private static final PublishOutcome.Lost WITH_CHANNEL = lost(false);

	private static final PublishOutcome REFUSED = new PublishOutcome.Refused(404, "NOT_FOUND");

	@Test
	void laterTryThatIsNotTakenDoesNotMakeAnEarlierOneUndone() {
		for (PublishOutcome last : List.of(new PublishOutcome.Nacked(), new PublishOutcome.Returned(312, "NO_ROUTE"),
				new PublishOutcome.Unsent(new IllegalStateException()))) {
			assertThat(PatientPublisher.known(null, last)).isEqualTo(last);
			assertThat(PatientPublisher.known(WITH_CONNECTION, last)).isEqualTo(WITH_CONNECTION);
			assertThat(PatientPublisher.known(WITH_CHANNEL, last)).isEqualTo(WITH_CHANNEL);
		}
		assertThat(PatientPublisher.known(WITH_CONNECTION, REFUSED)).isEqualTo(WITH_CONNECTION);
	}

	@Test
	void messageThatIsConfirmedOrClosesItsChannelAgainIsKnown() {
		PublishOutcome confirmed = new PublishOutcome.Confirmed();
		assertThat(PatientPublisher.known(WITH_CONNECTION, confirmed)).isEqualTo(confirmed);
		assertThat(PatientPublisher.known(WITH_CHANNEL, REFUSED)).isEqualTo(REFUSED);
	}

	private static PublishOutcome.Lost lost(boolean withConnection) {
		return new PublishOutcome.Lost(new ShutdownSignalException(withConnection, false, null, null));
	}

}
