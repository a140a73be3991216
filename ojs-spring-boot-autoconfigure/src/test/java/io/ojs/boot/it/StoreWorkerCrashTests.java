package io.ojs.boot.it;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
		try (ChildApplication victim = victim("before AttemptStore.claim"); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.write");
			victim.killAt("before AttemptStore.claim");
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertRan(survivor, job.id(), 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Its message comes back at once and finds the lease still valid. */
	@ParameterizedTest
	@MethodSource
	void runThatDiedIsTakenBackByTheReaper(String point) {
		try (ChildApplication victim = victim(point); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.write");
			victim.killAt(point);
			work(survivor);
			await().until(() -> client().count(JOBS) == 0);
			awaitCompleted(survivor, job.id());
			assertLostFirstRun(find(survivor, job.id()));
			assertThat(runs()).containsExactlyElementsOf(
					point.equals("handler") ? List.of(job.id() + " 1", job.id() + " 2") : List.of(job.id() + " 2"));
		}
		assertNothingIsLeftAtTheBroker();
	}

	static Stream<String> runThatDiedIsTakenBackByTheReaper() {
		return KillPoints.some("handler", "after AttemptStore.claim");
	}

	/** Nobody reaps: the message itself is what brings the job back. */
	@Test
	@KillPoints.OnlyWithAll
	void runThatDiedIsTakenOverByWhoGetsItsMessage() {
		try (ChildApplication victim = victim("handler");
				Application survivor = idle(worker().property("ojs.store.reap-interval", "1h"))) {
			Job job = enqueue(survivor, "desk.write");
			victim.killAt("handler");
			await().until(() -> leasesOver(survivor) == 1);
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertLostFirstRun(find(survivor, job.id()));
			assertThat(runs()).containsExactly(job.id() + " 1", job.id() + " 2");
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void lastRunThatDiedIsADeadLetter() {
		try (ChildApplication victim = victim("handler"); Application survivor = idle(worker())) {
			Job job = survivor.ojs()
				.enqueue(JobRequest.of("desk.write").queue("desk").retry((retry) -> retry.maxAttempts(1)));
			victim.killAt("handler");
			work(survivor);
			await().until(() -> state(survivor, job.id()) == JobState.DISCARDED);
			StoredJob dead = find(survivor, job.id());
			assertThat(dead.deadLetteredAt()).isNotNull();
			assertLostFirstRun(dead, 1);
			await().until(() -> client().count(JOBS) == 0);
			assertThat(runs()).containsExactly(job.id() + " 1");
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void completedJobThatWasNotAckedIsDropped() {
		try (ChildApplication victim = victim("after AttemptStore.settle"); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.write");
			victim.killAt("after AttemptStore.settle");
			assertThat(state(survivor, job.id())).isEqualTo(JobState.COMPLETED);
			// More than once if it has been published again since it was overdue.
			await("delivered again").until(() -> client().count(JOBS) >= 1);
			work(survivor);
			await().until(() -> client().count(JOBS) == 0);
			assertRan(survivor, job.id(), 1);
			// Whoever comes behind it in the queue is not held up.
			Job next = enqueue(survivor, "desk.write");
			awaitCompleted(survivor, next.id());
			assertThat(runs()).containsExactly(job.id() + " 1", next.id() + " 1");
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void successThatWasNotRecordedIsRepeated() {
		try (ChildApplication victim = victim("before AttemptStore.settle"); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.write");
			victim.killAt("before AttemptStore.settle");
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertLostFirstRun(find(survivor, job.id()));
			assertThat(runs()).containsExactly(job.id() + " 1", job.id() + " 2");
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void failureThatIsNotInARetryQueueWaitsForItsTimeAllTheSame() {
		try (ChildApplication victim = victim("after AttemptStore.settle"); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.second");
			victim.killAt("after AttemptStore.settle");
			StoredJob failed = find(survivor, job.id());
			assertThat(failed.job().state()).isEqualTo(JobState.RETRYABLE);
			Instant due = failed.dueAt();
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertThat(started(survivor, job.id())).isAfter(due.minusSeconds(1));
			assertFailedOnce(survivor, job.id());
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Its message is twice there, and would have it run twice if messages decided. */
	@Test
	void failureThatIsInItsRetryQueueAndInItsQueueRunsAgainOnce() {
		try (ChildApplication victim = victim(StoreCrashes.IN_RETRY_QUEUE); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.second");
			victim.killAt(StoreCrashes.IN_RETRY_QUEUE);
			StoredJob failed = find(survivor, job.id());
			assertThat(failed.job().state()).isEqualTo(JobState.RETRYABLE);
			Instant due = failed.dueAt();
			// The relay may have added one by then: the time of the retry is over soon.
			await("in both").until(() -> client().count(JOBS) + waiting() >= 2);
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertThat(started(survivor, job.id())).isAfter(due.minusSeconds(1));
			await("neither is left").until(() -> client().count(JOBS) + waiting() == 0);
			assertFailedOnce(survivor, job.id());
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void failureWhoseMessageIsGoneRunsAgainAllTheSame() throws Exception {
		try (ChildApplication victim = victim("after AttemptStore.settle"); Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.second");
			victim.killAt("after AttemptStore.settle");
			await("delivered again").until(() -> client().count(JOBS) >= 1);
			client().channel().queuePurge(JOBS);
			work(survivor);
			awaitCompleted(survivor, job.id());
			assertFailedOnce(survivor, job.id());
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void deadLetterThatTheBrokerNeverGotIsInTheStore() {
		try (ChildApplication victim = victim("after AttemptStore.settle"); Application survivor = idle(worker())) {
			Job job = survivor.ojs()
				.enqueue(JobRequest.of("desk.never").queue("desk").retry((retry) -> retry.maxAttempts(1)));
			victim.killAt("after AttemptStore.settle");
			work(survivor);
			await().until(() -> client().count(JOBS) == 0);
			Job next = enqueue(survivor, "desk.write");
			awaitCompleted(survivor, next.id());
			StoredJob dead = find(survivor, job.id());
			assertThat(dead.job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(dead.deadLetteredAt()).isNotNull();
			assertThat(dead.job().attempt()).isEqualTo(1);
			assertThat(dead.job().errors()).extracting(JobError::message).containsExactly("no luck at attempt 1");
			assertThat(runs()).containsExactly(job.id() + " 1", next.id() + " 1");
		}
		assertThat(client().count(DEAD)).isZero();
		assertNothingIsLeftAtTheBroker();
	}

}
