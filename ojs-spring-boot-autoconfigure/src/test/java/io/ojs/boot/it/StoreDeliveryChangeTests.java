package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.queue.Queues;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The delivery of a queue changes, while jobs of it wait and run, or differs between
 * applications: each job runs once.
 */
class StoreDeliveryChangeTests extends StoreDeliveryFixture {

	private static final String DELIVERY = "ojs.queues.desk.delivery";

	private void assertEachRanOnce(List<Job> jobs) {
		awaitCompleted(jobs);
		await().until(() -> client().count(JOBS) == 0);
		assertThat(Desk.runs).containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
		assertThat(attempts()).containsOnlyKeys(1);
	}

	@Test
	void messagesThatTheBrokerHasAreDroppedAndTheirJobsFetched() {
		List<Job> jobs = new ArrayList<>();
		Job failed;
		try (Application before = worker().property(DELIVERY, "broker").start()) {
			failed = before.ojs()
				.enqueue(JobRequest.of("desk.second")
					.queue("desk")
					.retry((retry) -> retry.initialInterval(Duration.ofSeconds(4)).jitter(false)));
			awaitState(before, failed, JobState.RETRYABLE);
		}
		try (Application before = producer().property(DELIVERY, "broker").start()) {
			jobs.addAll(enqueue(before, 150));
			await().until(() -> client().count(JOBS) == 150);
		}
		try (Application now = worker().start()) {
			jobs.addAll(enqueue(now, 10));
			awaitCompleted(jobs);
			awaitState(now, failed, JobState.COMPLETED);
			await().until(() -> client().count(JOBS) == 0);
			jobs.add(failed);
			assertThat(Desk.runs).hasSize(162).containsAll(jobs.stream().map(Job::id).toList());
			assertThat(attempts()).containsEntry(1, 160).containsEntry(2, 1).hasSize(2);
			// Its message comes out of its retry queue in its own time, and is one too
			// many.
			await().until(() -> client().count("ojs.queue.retry.desk.4000") == 0 && client().count(JOBS) == 0);
			assertThat(Desk.runs).hasSize(162);
		}
	}

	@Test
	void jobsThatWaitInTheStoreArePublished() {
		List<Job> jobs = new ArrayList<>();
		noteFetch();
		try (Application before = producer().start()) {
			awaitKnown(before);
			jobs.addAll(enqueue(before, 150));
			assertThat(client().exists(JOBS) ? client().count(JOBS) : 0).isZero();
		}
		try (Application now = worker().property(DELIVERY, "broker").start()) {
			jobs.addAll(enqueue(now, 10));
			assertEachRanOnce(jobs);
		}
	}

	@Test
	void jobsThatAreKeptAfterTheStartOfAWorkerOfTheBrokerArePublished() {
		try (Application now = worker().property(DELIVERY, "broker").start()) {
			now.bean(Queues.class).pause("desk");
			Job job = enqueue(now, 1).get(0);
			await().until(() -> client().count(JOBS) == 1);
			client().drain(JOBS);
			// As an application leaves it that is configured otherwise.
			jdbc().update("update ojs_job set published_at = null, relay_at = now() + interval '365 days'");
			noteFetch();
			now.bean(Queues.class).resume("desk");
			await().atMost(Duration.ofSeconds(60)).until(() -> find(now, job.id()).state() == JobState.COMPLETED);
		}
	}

	/** As a worker leaves it that has fetched from the queue. */
	private void noteFetch() {
		jdbc().update("insert into ojs_fetched_queue (queue, fetched_at) values ('desk', now())");
	}

	@Test
	void workersThatFetchGetTheJobsOfApplicationsThatPublish() {
		try (Application before = producer().property(DELIVERY, "broker").start(); Application now = worker().start()) {
			List<Job> jobs = new ArrayList<>(enqueue(before, 20));
			jobs.addAll(enqueue(now, 20));
			assertEachRanOnce(jobs);
		}
	}

	@Test
	void workersOfTheBrokerGetTheJobsOfApplicationsThatStillKeepThem() {
		List<Job> jobs = new ArrayList<>();
		noteFetch();
		try (Application before = producer().start()) {
			awaitKnown(before);
			jobs.addAll(enqueue(before, 1));
		}
		try (Application now = worker().property(DELIVERY, "broker").start()) {
			// What waits when it starts is published, and what others keep afterwards.
			awaitCompleted(jobs);
			assertThat(now.events()).isNotEmpty();
			try (Application before = producer().start()) {
				jobs.addAll(enqueue(before, 20));
			}
			try (Application after = producer().property(DELIVERY, "broker").start()) {
				jobs.addAll(enqueue(after, 5));
				assertEachRanOnce(jobs);
			}
		}
	}

	@Test
	void jobOfAnotherProducerIsKeptOnceAndRunsOnce() {
		try (Application application = worker().start()) {
			String id = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("desk", id, "desk.add", "[2,3]");
			await().until(() -> application.events(id).contains("job.completed"));
			Job done = find(application, id);
			assertThat(done.result()).isEqualTo(5);
			assertThat(done.attempt()).isOne();
			client().publishJob("desk", id, "desk.add", "[2,3]");
			String last = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("desk", last, "desk.add", "[1,1]");
			await().until(() -> application.events(last).contains("job.completed"));
			await().until(() -> client().count(JOBS) == 0);
			assertThat(Desk.runs).containsExactly(id, last);
		}
	}

}
