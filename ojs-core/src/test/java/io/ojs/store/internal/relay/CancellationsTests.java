package io.ojs.store.internal.relay;

import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.ojs.client.ControlException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How {@link Cancellations} reaches the workers of jobs that are cancelled.
 */
@Timeout(30)
class CancellationsTests {

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private final Cancellations cancellations = new Cancellations(this.workers);

	@AfterEach
	void close() {
		this.cancellations.close();
	}

	@Test
	void nobodyWaitsForABrokerThatDoesNotAnswer() {
		CountDownLatch answer = new CountDownLatch(1);
		this.workers.before = () -> await().until(() -> answer.getCount() == 0);
		this.cancellations.tell(running(0));
		this.cancellations.tell(running(1));
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
		this.cancellations.tell(running(0));
		this.cancellations.tell(running(1));
		await().untilAsserted(() -> assertThat(this.workers.cancelled).containsExactly(ScriptedPublisher.id(1)));
	}

	@Test
	void noWorkerHearsOfAJobThatWaited() {
		this.cancellations.tell(stored(1, JobState.RETRYABLE));
		this.cancellations.tell(running(0));
		await().untilAsserted(() -> assertThat(this.workers.cancelled).containsExactly(ScriptedPublisher.id(0)));
	}

	private static StoredJob running(int number) {
		return stored(number, JobState.ACTIVE);
	}

	private static StoredJob stored(int number, JobState state) {
		Job job = Job.builder(ScriptedPublisher.id(number), "test.it", "default").state(state).build();
		return new StoredJob(job, 3, Map.of(), null, null, null, 0);
	}

}
