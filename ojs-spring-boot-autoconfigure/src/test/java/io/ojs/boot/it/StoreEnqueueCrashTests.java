package io.ojs.boot.it;

import java.time.Instant;
import java.util.stream.Stream;

import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 on the way of a job from its insert to the broker: it is there once, or it
 * never was.
 */
@Tag("faults")
class StoreEnqueueCrashTests extends StoreCrashFixture {

	@Test
	void nothingIsLeftOfWhatWasNotCommitted() {
		try (ChildApplication child = child().with(StoreCrashes.EnqueuerInATransaction.class)
			.property("ojs.worker.enabled", false)
			.crashAt("after JobStore.insert")
			.start(); Application survivor = observer().start()) {
			child.killAt("after JobStore.insert");
			Job next = survivor.ojs().enqueue(JobRequest.of("desk.write").queue("desk"));
			await().until(() -> client().exists(JOBS) && client().count(JOBS) == 1);
			assertThat(client().drain(JOBS)).extracting((message) -> message.getProps().getMessageId())
				.containsExactly(next.id());
			assertThat(onlyJob(survivor)).isEqualTo(next.id());
			assertThat(events(survivor, "subject <> '" + next.id() + "'")).isZero();
		}
	}

	/** Its statement was a transaction by itself. */
	@Test
	@KillPoints.OnlyWithAll
	void jobWithoutATransactionIsCommittedWhenItIsInserted() {
		try (ChildApplication child = enqueuer().crashAt("after JobStore.insert").start();
				Application other = worker().start()) {
			child.killAt("after JobStore.insert");
			String id = onlyJob(other);
			awaitCompleted(other, id);
			assertRan(other, id, 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void committedJobThatNobodyPublishedIsPublishedByAnotherRelay() {
		try (ChildApplication child = enqueuer().crashAt("before JobPublisher.publish").start();
				Application other = worker().start()) {
			child.killAt("before JobPublisher.publish");
			String id = onlyJob(other);
			awaitCompleted(other, id);
			assertRan(other, id, 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	@KillPoints.OnlyWithAll
	void committedJobThatNobodyPublishedIsPublishedAfterARestart() {
		try (ChildApplication child = enqueuer().crashAt("before JobPublisher.publish").start()) {
			child.killAt("before JobPublisher.publish");
		}
		assertThat(!client().exists(JOBS) || client().count(JOBS) == 0).as("not published").isTrue();
		try (Application restarted = worker().start()) {
			String id = onlyJob(restarted);
			awaitCompleted(restarted, id);
			assertRan(restarted, id, 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	/** Until then it might be under way. */
	@Test
	@KillPoints.OnlyWithAll
	void jobThatARelayHadTakenIsPublishedByAnotherWhenItsTimeIsOver() {
		try (ChildApplication child = child().with(StoreCrashes.LateEnqueuer.class, StoreCrashes.ShortHold.class)
			.property("ojs.worker.enabled", false)
			.crashAt("before JobPublisher.publish")
			.start()) {
			child.killAt("before JobPublisher.publish");
		}
		assertThat(!client().exists(JOBS) || client().count(JOBS) == 0).as("not published").isTrue();
		Instant taken = takenUntil();
		try (Application other = worker().start()) {
			String id = onlyJob(other);
			awaitCompleted(other, id);
			assertThat(started(other, id)).isAfterOrEqualTo(taken);
			assertRan(other, id, 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	@ParameterizedTest
	@MethodSource
	void jobThatIsPublishedTwiceRunsOnce(String point) {
		// Its own relay must not be the second one before it is killed.
		try (ChildApplication child = enqueuer().property("ojs.store.relay-grace", "10s").crashAt(point).start()) {
			child.killAt(point);
		}
		await().until(() -> client().exists(JOBS) && client().count(JOBS) == 1);
		try (Application relay = observer().start()) {
			await().until(() -> client().count(JOBS) >= 2);
			await().until(() -> publishedAndNoted(relay));
		}
		try (Application worker = worker().start()) {
			String id = onlyJob(worker);
			awaitCompleted(worker, id);
			await().until(() -> client().count(JOBS) == 0);
			assertRan(worker, id, 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

	static Stream<String> jobThatIsPublishedTwiceRunsOnce() {
		return KillPoints.some("after JobPublisher.publish", "before RelayStore.published");
	}

	@Test
	void jobThatTheBrokerLostIsPublishedAgain() throws Exception {
		try (Application survivor = idle(worker())) {
			Job job = enqueue(survivor, "desk.write");
			await().until(() -> publishedAndNoted(survivor) && client().count(JOBS) == 1);
			client().channel().queuePurge(JOBS);
			work(survivor);
			awaitCompleted(survivor, job.id());
			await().until(() -> client().count(JOBS) == 0);
			assertRan(survivor, job.id(), 1);
		}
		assertNothingIsLeftAtTheBroker();
	}

}
