package io.ojs.boot.it;

import java.time.Instant;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of a worker between any two steps of an attempt: the job store knows of every
 * run, and what it has recorded is not done again.
 */
@Tag("faults")
class StoreWorkerCrashTests extends StoreCrashFixture {

	@Test
	void deliveryThatNobodyClaimedIsAnothersFirstAttempt() {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.write");
			killWorkerAt("before AttemptStore.claim");
			try (Application worker = worker().start()) {
				awaitCompleted(worker, job.id());
				assertRan(worker, job.id(), 1);
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Its message comes back at once and finds the lease still valid. */
	@ParameterizedTest
	@ValueSource(strings = { "after AttemptStore.claim", "handler" })
	void runThatDiedIsTakenBackByTheReaper(String point) {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.write");
			killWorkerAt(point);
			try (Application worker = worker().start()) {
				await().until(() -> client().count(JOBS) == 0);
				awaitCompleted(worker, job.id());
				assertLostFirstRun(find(worker, job.id()));
				assertThat(runs()).containsExactlyElementsOf(
						point.equals("handler") ? List.of(job.id() + " 1", job.id() + " 2") : List.of(job.id() + " 2"));
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Nobody reaps: the message itself is what brings the job back. */
	@Test
	void runThatDiedIsTakenOverByWhoGetsItsMessage() {
		try (Application survivor = observer().property("ojs.store.reap-interval", "1h").start()) {
			Job job = enqueue(survivor, "desk.write");
			killWorkerAt("handler");
			await().until(() -> leasesOver(survivor) == 1);
			try (Application worker = worker().property("ojs.store.reap-interval", "1h").start()) {
				awaitCompleted(worker, job.id());
				assertLostFirstRun(find(worker, job.id()));
				assertThat(runs()).containsExactly(job.id() + " 1", job.id() + " 2");
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void lastRunThatDiedIsADeadLetter() {
		try (Application survivor = observer().start()) {
			Job job = survivor.ojs()
				.enqueue(JobRequest.of("desk.write").queue("desk").retry((retry) -> retry.maxAttempts(1)));
			killWorkerAt("handler");
			try (Application worker = worker().start()) {
				await().until(() -> state(worker, job.id()) == JobState.DISCARDED);
				StoredJob dead = find(worker, job.id());
				assertThat(dead.deadLetteredAt()).isNotNull();
				assertLostFirstRun(dead, 1);
				await().until(() -> client().count(JOBS) == 0);
				assertThat(runs()).containsExactly(job.id() + " 1");
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void completedJobThatWasNotAckedIsDropped() {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.write");
			killWorkerAt("after AttemptStore.settle");
			assertThat(state(survivor, job.id())).isEqualTo(JobState.COMPLETED);
			await("delivered again").until(() -> client().count(JOBS) == 1);
			try (Application worker = worker().start()) {
				await().until(() -> client().count(JOBS) == 0);
				assertRan(worker, job.id(), 1);
				// Whoever comes behind it in the queue is not held up.
				Job next = enqueue(worker, "desk.write");
				awaitCompleted(worker, next.id());
				assertThat(runs()).containsExactly(job.id() + " 1", next.id() + " 1");
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void successThatWasNotRecordedIsRepeated() {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.write");
			killWorkerAt("before AttemptStore.settle");
			try (Application worker = worker().start()) {
				awaitCompleted(worker, job.id());
				assertLostFirstRun(find(worker, job.id()));
				assertThat(runs()).containsExactly(job.id() + " 1", job.id() + " 2");
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void failureThatIsNotInALaneWaitsForItsTimeAllTheSame() {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.second");
			killWorkerAt("after AttemptStore.settle");
			StoredJob failed = find(survivor, job.id());
			assertThat(failed.job().state()).isEqualTo(JobState.RETRYABLE);
			Instant due = failed.dueAt();
			try (Application worker = worker().start()) {
				awaitCompleted(worker, job.id());
				assertThat(started(worker, job.id())).isAfter(due.minusSeconds(1));
				assertFailedOnce(worker, job.id());
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void failureWhoseMessageIsGoneRunsAgainAllTheSame() throws Exception {
		try (Application survivor = observer().start()) {
			Job job = enqueue(survivor, "desk.second");
			killWorkerAt("after AttemptStore.settle");
			await("delivered again").until(() -> client().count(JOBS) == 1);
			client().channel().queuePurge(JOBS);
			try (Application worker = worker().start()) {
				awaitCompleted(worker, job.id());
				assertFailedOnce(worker, job.id());
			}
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void deadLetterThatTheBrokerNeverGotIsInTheStore() {
		try (Application survivor = observer().start()) {
			Job job = survivor.ojs()
				.enqueue(JobRequest.of("desk.never").queue("desk").retry((retry) -> retry.maxAttempts(1)));
			killWorkerAt("after AttemptStore.settle");
			try (Application worker = worker().start()) {
				await().until(() -> client().count(JOBS) == 0);
				Job next = enqueue(worker, "desk.write");
				awaitCompleted(worker, next.id());
				StoredJob dead = find(worker, job.id());
				assertThat(dead.job().state()).isEqualTo(JobState.DISCARDED);
				assertThat(dead.deadLetteredAt()).isNotNull();
				assertThat(dead.job().attempt()).isEqualTo(1);
				assertThat(dead.job().errors()).extracting(JobError::message).containsExactly("no luck at attempt 1");
				assertThat(runs()).containsExactly(job.id() + " 1", next.id() + " 1");
			}
		}
		assertThat(client().count(DEAD)).isZero();
		assertNothingIsLeftAtTheBroker();
	}

}
