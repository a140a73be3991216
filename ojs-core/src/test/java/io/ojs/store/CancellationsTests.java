package io.ojs.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.ojs.client.ControlException;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Who hears of a cancelled job from {@link Cancellations}, and how workers are reached.
 */
@Timeout(30)
class CancellationsTests {

	private final ScriptedWorkers workers = new ScriptedWorkers();

	private final List<JobEvent> told = new ArrayList<>();

	private final Cancellations cancellations = new Cancellations(this.workers, new JobEvents(List.of(this.told::add)));

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
	void listenersHearOfAJobThatWaited() {
		this.cancellations.tell(stored(0, JobState.RETRYABLE));
		assertThat(this.told).singleElement().isInstanceOfSatisfying(JobEvent.Cancelled.class, (event) -> {
			assertThat(event.job().id()).isEqualTo(ScriptedPublisher.id(0));
			assertThat(event.attempt()).isEqualTo(1);
			assertThat(event.maxAttempts()).isEqualTo(3);
		});
	}

	@Test
	void onlyItsWorkerHearsOfAJobThatRuns() {
		this.cancellations.tell(running(0));
		await().untilAsserted(() -> assertThat(this.workers.cancelled).containsExactly(ScriptedPublisher.id(0)));
		assertThat(this.told).isEmpty();
	}

	private static StoredJob running(int number) {
		return stored(number, JobState.ACTIVE);
	}

	private static StoredJob stored(int number, JobState state) {
		Job job = Job.builder(ScriptedPublisher.id(number), "test.it", "default").state(state).build();
		return new StoredJob(job, 3, Map.of(), null, null, null, 0);
	}

}
