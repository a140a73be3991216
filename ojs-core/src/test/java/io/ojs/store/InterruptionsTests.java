package io.ojs.store;

import java.util.concurrent.CountDownLatch;

import io.ojs.client.ControlException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How {@link Interruptions} reach workers.
 */
@Timeout(30)
class InterruptionsTests {

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private final Interruptions interruptions = new Interruptions(this.workers);

	@AfterEach
	void close() {
		this.interruptions.close();
	}

	@Test
	void nobodyWaitsForABrokerThatDoesNotAnswer() {
		CountDownLatch answer = new CountDownLatch(1);
		this.workers.before = () -> await().until(() -> answer.getCount() == 0);
		this.interruptions.interrupt(job(0));
		this.interruptions.interrupt(job(1));
		assertThat(this.workers.cancelled).isEmpty();
		answer.countDown();
		await().untilAsserted(
				() -> assertThat(this.workers.cancelled).containsExactlyElementsOf(ScriptedPublisher.ids(0, 2)));
	}

	@Test
	void refusalDoesNotKeepOthersFromBeingInterrupted() {
		this.workers.before = () -> {
			this.workers.before = () -> {
			};
			throw new ControlException("The broker is away.", null);
		};
		this.interruptions.interrupt(job(0));
		this.interruptions.interrupt(job(1));
		await().untilAsserted(() -> assertThat(this.workers.cancelled).containsExactly(ScriptedPublisher.id(1)));
	}

	private static Job job(int number) {
		return Job.builder(ScriptedPublisher.id(number), "test.it", "default").state(JobState.ACTIVE).build();
	}

}
