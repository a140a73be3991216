package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.GetResponse;
import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.Queues;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Working jobs that a store knows, when nothing is in the way.
 */
abstract class StoredJobsContract extends StoredJobsFixture {

	@Test
	void foreignJobIsAdoptedAndItsMessageCountsOnce() {
		try (Application application = worker().start()) {
			String id = this.ids.next();
			publish(id, "desk.add", "[2,3]");
			await().until(() -> application.events(id).contains("job.completed"));
			StoredJob done = find(application, id);
			assertThat(done.job().state()).isEqualTo(JobState.COMPLETED);
			assertThat(done.job().result()).isEqualTo(5);
			assertThat(done.job().attempt()).isEqualTo(1);
			publish(id, "desk.add", "[2,3]");
			publish(id, "desk.add", "[2,3]");
			String last = this.ids.next();
			publish(last, "desk.add", "[1,1]");
			await().until(() -> application.events(last).contains("job.completed"));
			assertThat(application.worked(id)).containsExactly("job.started", "job.completed");
			assertThat(Desk.runs).containsExactly(id, last);
		}
		assertThat(client().count(JOBS)).isZero();
		assertThat(client().count(DEAD)).isZero();
	}

	@Test
	void cancelledJobDoesNotRunWhenItsRowIsDeletedBeforeItsMessageComes() {
		try (Application application = worker().start()) {
			Queues queues = application.bean(Queues.class);
			queues.pause("desk");
			Job cancelled = application.ojs().enqueue(JobRequest.of("desk.add", 1, 1).queue("desk"));
			await().until(() -> client().exists(JOBS) && client().count(JOBS) == 1);
			application.ojs().cancel(cancelled.id());
			assertThat(application.bean(AdminStore.class).delete(JobFilter.ANY.ids(Set.of(cancelled.id())), 1)).isOne();
			String foreign = this.ids.next();
			publish(foreign, "desk.add", "[2,3]");
			queues.resume("desk");
			await().until(() -> application.events(foreign).contains("job.completed"));
			assertThat(Desk.runs).containsExactly(foreign);
			assertThat(application.ojs().find(cancelled.id())).isEmpty();
		}
		assertThat(client().count(JOBS)).isZero();
		assertThat(client().count(DEAD)).isZero();
	}

	@Test
	void adoptedJobIsTheStoresOwnFromItsFirstRetryOn() throws Exception {
		try (Application application = worker().start()) {
			watchDeadLetters();
			String id = this.ids.next();
			publish(id, "desk.never", "[]");
			assertThat(RawClient.headers(client().take(SEEN))).containsEntry("x-ojs-attempt", "2")
				.containsEntry("x-ojs-store", application.bean(JobStore.class).id());
		}
	}

	@Test
	void jobsThatCannotBePublishedAreDeadLettersAndOthersOfTheirQueueRun() {
		try (Application application = worker().start()) {
			Job wrong = insert(application, builder("desk.add").meta(Map.of("correlation_id", "x".repeat(256))),
					Map.of(), Instant.now());
			Job large = insert(application, builder("desk.add"), Map.of("x-large", "x".repeat(200_000)), Instant.now());
			Job good = insert(application, builder("desk.add"), Map.of(), Instant.now());
			await().until(() -> application.events(good.id()).contains("job.completed"));
			for (Job bad : List.of(wrong, large)) {
				await().until(() -> application.events(bad.id()).contains("job.dead_lettered"));
				assertThat(application.bean(DeadLetters.class).get(bad.id())).isPresent();
			}
			assertThat(find(application, wrong.id()).job().errors().get(0).message()).contains("correlation_id");
			assertThat(find(application, large.id()).job().errors().get(0).message()).contains("frame");
			Job next = insert(application, builder("desk.add"), Map.of(), Instant.now());
			await().until(() -> application.events(next.id()).contains("job.completed"));
			assertThat(Desk.runs).containsExactly(good.id(), next.id());
		}
	}

	@Test
	void failureIsRecordedAndTheNextAttemptKnowsOfIt() {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.second");
			publish(job.id(), job.type(), "[]");
			await().until(() -> application.events(job.id()).contains("job.completed"));
			Job done = find(application, job.id()).job();
			assertThat(done.state()).isEqualTo(JobState.COMPLETED);
			assertThat(done.result()).isEqualTo("no luck at attempt 1");
			assertThat(done.errors()).extracting(JobError::attempt).containsExactly(1);
			assertThat(application.worked(job.id())).containsExactly("job.started", "job.failed", "job.retrying",
					"job.started", "job.completed");
		}
	}

	@Test
	void messageThatComesBeforeItsTimeWaits() {
		try (Application application = worker().property("ojs.queues.desk.retry.initial-interval", "4s").start()) {
			Job job = insert(application, "desk.second");
			publish(job.id(), job.type(), "[]");
			await().until(() -> application.events(job.id()).contains("job.retrying"));
			// Now: it is due for as long as it waits.
			Instant due = find(application, job.id()).dueAt();
			publish(job.id(), job.type(), "[]");
			publish(job.id(), job.type(), "[]");
			await().until(() -> client().count(JOBS) == 0);
			await().until(() -> application.events(job.id()).contains("job.completed"));
			assertThat(Instant.now()).isAfter(due.minusSeconds(1));
			assertThat(Desk.runs).hasSize(2);
		}
	}

	@Test
	void jobWithoutAttemptsLeftIsADeadLetterInBothPlaces() throws Exception {
		try (Application application = worker().start()) {
			watchDeadLetters();
			Job job = insert(application, "desk.never");
			publish(job.id(), job.type(), "[]");
			GetResponse dead = client().take(SEEN);
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-attempt", "2")
				.containsEntry("x-ojs-error-message", "no luck at attempt 2");
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			StoredJob stored = find(application, job.id());
			assertThat(stored.job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(stored.deadLetteredAt()).isNotNull();
			assertThat(stored.job().errors()).extracting(JobError::attempt).containsExactly(1, 2);
			assertThat(application.worked(job.id())).containsExactly("job.started", "job.failed", "job.retrying",
					"job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered");
		}
	}

	@Test
	void jobThatCameTooLateIsNotRun() throws Exception {
		try (Application application = worker().start()) {
			watchDeadLetters();
			Job job = insert(application, builder("desk.add").expiresAt(Rfc3339.utc(Instant.now().minusSeconds(1))));
			publish(job.id(), job.type(), "[1,1]");
			assertThat(RawClient.headers(client().take(SEEN))).containsEntry("x-ojs-error-code", "JOB_EXPIRED");
			assertThat(find(application, job.id()).job().state()).isEqualTo(JobState.DISCARDED);
			assertThat(Desk.runs).isEmpty();
		}
	}

	@Test
	void waitingJobIsCancelledInTheStoreAtOnce() throws Exception {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.add");
			control("ojs.control.cancel", job.id(), null);
			await().until(() -> find(application, job.id()).job().state() == JobState.CANCELLED);
			await().until(() -> application.events(job.id()).equals(List.of("job.cancelled")));
			publish(job.id(), job.type(), "[1,1]");
			String last = this.ids.next();
			publish(last, "desk.add", "[1,1]");
			await().until(() -> application.events(last).contains("job.completed"));
			assertThat(Desk.runs).containsExactly(last);
		}
		assertThat(client().count(CONTROL)).as("requests that nobody has to remember").isZero();
	}

	@Test
	void runningJobThatIsReplacedIsInterruptedAtOnce() {
		JobRequest request = JobRequest.of("desk.wait")
			.queue("desk")
			.unique(UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE));
		// Nobody will extend a lease before the test is over.
		try (Application application = worker().property("ojs.store.lease", "1h").start()) {
			Job replaced = application.ojs().enqueue(request);
			await().until(() -> Desk.runs.contains(replaced.id()));
			Job next = application.ojs().enqueue(request);
			await().until(() -> application.events(replaced.id()).contains("job.cancelled"));
			assertThat(Desk.ended).hasPositiveValue();
			await().until(() -> Desk.runs.contains(next.id()));
			Desk.open.countDown();
			await().until(() -> application.events(next.id()).contains("job.completed"));
			assertThat(application.events(replaced.id())).containsOnlyOnce("job.cancelled");
		}
	}

	@Test
	void runningJobIsInterruptedWhicheverProcessRunsIt() throws Exception {
		try (Application one = worker().start(); Application other = worker().start()) {
			for (int i = 0; i < 4; i++) {
				Job job = insert(one, "desk.wait");
				publish(job.id(), job.type(), "[]");
				await().until(() -> Desk.runs.contains(job.id()));
				control("ojs.control.cancel", job.id(), null);
				await().until(() -> find(other, job.id()).job().state() == JobState.CANCELLED);
				await().until(() -> one.events(job.id()).contains("job.cancelled")
						|| other.events(job.id()).contains("job.cancelled"));
			}
			assertThat(Desk.ended).hasValue(4);
		}
		assertThat(client().count(JOBS)).isZero();
		assertThat(client().count(DEAD)).isZero();
		assertThat(client().count(CONTROL)).isZero();
	}

	@Test
	void foreignClientIsToldWhatTheStoreKnows() throws Exception {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.second");
			publish(job.id(), job.type(), "[]");
			await().until(() -> application.events(job.id()).contains("job.completed"));
			String replies = client().channel().queueDeclare().getQueue();
			control("ojs.control.info", job.id(), replies);
			assertThat(new String(client().take(replies).getBody(), StandardCharsets.UTF_8)).contains(
					"\"state\":\"completed\"", "\"result\":\"no luck at attempt 1\"", "\"attempt\":2", "\"errors\":[{",
					"\"max_attempts\":2");
			control("ojs.control.info", this.ids.next(), replies);
			assertThat(new String(client().take(replies).getBody(), StandardCharsets.UTF_8)).contains("NOT_FOUND");
		}
	}

}
