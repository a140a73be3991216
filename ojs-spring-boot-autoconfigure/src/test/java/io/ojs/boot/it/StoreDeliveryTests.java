package io.ojs.boot.it;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.JobEvent;
import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.RateLimit;
import io.ojs.queue.Queues;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that the store delivers, from their enqueueing to their end. Whatever becomes of
 * them, no message of one is published: the broker copies all that is published.
 */
class StoreDeliveryTests extends StoreDeliveryFixture {

	private static final String TRACE = "test.trace";

	/** Soon enough that no worker waited for its next look, a second after the last. */
	private static final Duration AT_ONCE = Duration.ofMillis(300);

	/** How far the store's clock may be from that of the test. */
	private static final Duration CLOCKS = Duration.ofMillis(-100);

	@BeforeEach
	void traceBroker() throws IOException {
		await().ignoreExceptions().untilAsserted(() -> broker().trace());
		client().channel().queueDeclare(TRACE, false, true, false, null);
		client().channel().queueBind(TRACE, "amq.rabbitmq.trace", "publish.#");
	}

	@AfterEach
	void nothingButWakeUpsWasPublished() {
		assertThat(client().drain(TRACE).stream().map(StoreDeliveryTests::type).distinct())
			.as("types of messages that were published")
			.allMatch((type) -> type.startsWith("ojs.control."));
		if (client().exists(JOBS)) {
			assertThat(client().count(JOBS)).as("messages of jobs").isZero();
		}
	}

	/** That of the message, which a header of its copy tells. */
	private static String type(GetResponse copy) {
		Map<?, ?> properties = (Map<?, ?>) copy.getProps().getHeaders().get("properties");
		return String.valueOf(properties.get("type"));
	}

	private static JobRequest request(String type, Object... args) {
		return JobRequest.of(type, args).queue("desk");
	}

	@Test
	void jobRunsAndItsResultIsKept() {
		try (Application application = worker().start()) {
			Job job = application.ojs().enqueue(request("desk.add", 2, 3));
			await().untilAsserted(
					() -> assertThat(application.worked(job.id())).containsExactly("job.started", "job.completed"));
			Job done = find(application, job.id());
			assertThat(done.result()).isEqualTo(5);
			assertThat(done.attempt()).isOne();
		}
	}

	@Test
	void deadLetterIsReplayedAndRuns() {
		try (Application application = worker().start()) {
			Job job = application.ojs().enqueue(request("desk.broken"));
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			assertThat(Desk.runs).containsExactly(job.id(), job.id());
			Desk.mended = true;
			application.bean(DeadLetters.class).replay(job.id());
			awaitState(application, job, JobState.COMPLETED);
			assertThat(Desk.runs).hasSize(3);
		}
	}

	@Test
	void retriesRunWhenTheyAreDueAndNotASecondLate() {
		try (Application application = worker().start()) {
			assertInTime((i) -> {
				Duration delay = Duration.ofMillis(400 + 100 * i);
				Job job = application.ojs()
					.enqueue(request("desk.second")
						.retry((retry) -> retry.initialInterval(delay).jitter(false).maxAttempts(2)));
				return new Expected(job.id(), 1, () -> Desk.times.get(job.id()).get(0).plus(delay));
			});
		}
	}

	@Test
	void scheduledJobsRunWhenTheyAreDueAndNotASecondLate() {
		try (Application application = worker().start()) {
			assertInTime((i) -> {
				Instant due = Instant.now().plusMillis(400 + 100 * i);
				Job job = application.ojs().enqueue(request("desk.note", "later").scheduledAt(due));
				return new Expected(job.id(), 0, () -> due);
			});
		}
	}

	@Test
	void jobsOfAProcessWithoutWorkersWakeThoseOfAnother() {
		try (Application there = worker().start(); Application here = producer().start()) {
			awaitKnown(here);
			assertInTime((i) -> {
				Instant enqueued = Instant.now();
				Job job = here.ojs().enqueue(request("desk.note", "now"));
				// One every tenth of a second, whenever workers look by themselves.
				await().pollDelay(Duration.ofMillis(100)).until(() -> true);
				return new Expected(job.id(), 0, () -> enqueued);
			});
			assertThat(here.events().stream().filter((event) -> event.name().equals("job.started"))).isEmpty();
			assertThat(there.events()).isNotEmpty();
		}
	}

	/**
	 * Of ten jobs, at all times of a second, at least eight run as soon as they are due,
	 * and none before. A machine that is busy may need more than one try.
	 */
	private static void assertInTime(IntFunction<Expected> enqueue) {
		await().atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO).untilAsserted(() -> {
			List<Expected> expected = IntStream.range(0, 10).mapToObj(enqueue).toList();
			await().until(() -> expected.stream().allMatch(Expected::hasRun));
			List<Duration> late = expected.stream().map(Expected::late).toList();
			if (late.stream().anyMatch((each) -> each.compareTo(CLOCKS) < 0)) {
				throw new IllegalStateException("Some ran too early: " + late);
			}
			assertThat(late).as("how late jobs ran")
				.filteredOn((each) -> each.compareTo(AT_ONCE) < 0)
				.hasSizeGreaterThanOrEqualTo(8);
		});
	}

	@Test
	void cronsFireAndTheirJobsRunOnce() {
		try (Application application = worker().start()) {
			CronJobs crons = application.bean(CronJobs.class);
			crons.register(CronRequest.of("bell", "* * * * * *", request("desk.note", "bell")));
			await().until(() -> Desk.runs.size() >= 3);
			crons.remove("bell");
			assertThat(Desk.runs).doesNotHaveDuplicates();
		}
	}

	@Test
	void jobsOfABatchRunOnceEachInWhicheverProcess() {
		try (Application one = worker().start(); Application other = worker().start()) {
			List<Job> jobs = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				jobs.addAll(one.ojs()
					.enqueueAll(IntStream.range(0, 100).mapToObj((n) -> request("desk.add", n, 1)).toList()));
			}
			awaitCompleted(jobs);
			assertThat(Desk.runs).containsExactlyInAnyOrderElementsOf(jobs.stream().map(Job::id).toList());
			assertThat(attempts()).containsOnlyKeys(1);
			await().pollDelay(Duration.ZERO).untilAsserted(() -> {
				one.ojs().enqueueAll(IntStream.range(0, 100).mapToObj((n) -> request("desk.add", n, 1)).toList());
				assertThat(other.events()).as("the work is shared").isNotEmpty();
			});
		}
	}

	@Test
	void uniqueJobRunsOnceAndCanBeEnqueuedAgainAfterwards() {
		try (Application application = worker().start()) {
			JobRequest unique = request("desk.note", "unique").unique((policy) -> policy.onConflict(OnConflict.IGNORE));
			application.bean(Queues.class).pause("desk");
			Job first = application.ojs().enqueue(unique);
			assertThat(application.ojs().enqueue(unique).id()).isEqualTo(first.id());
			application.bean(Queues.class).resume("desk");
			awaitState(application, first, JobState.COMPLETED);
			assertThat(Desk.runs).containsExactly(first.id());
			await().until(() -> !application.ojs().enqueue(unique).id().equals(first.id()));
		}
	}

	@Test
	void limitOfAConcurrencyHoldsForAllProcessesTogether() {
		try (Application one = worker().property("ojs.queues.desk.concurrency", 6).start();
				Application other = worker().property("ojs.queues.desk.concurrency", 6).start()) {
			RateLimit limit = RateLimit.of("printer").concurrency(2);
			List<Job> jobs = one.ojs()
				.enqueueAll(IntStream.range(0, 40).mapToObj((i) -> request("desk.limited").rateLimit(limit)).toList());
			awaitCompleted(jobs);
			assertThat(Desk.mostLimited).hasValue(2);
			assertThat(Desk.runs).hasSize(40).doesNotHaveDuplicates();
			assertThat(attempts()).containsOnlyKeys(1);
			assertThat(other.bean(Queues.class).stats("desk").depth()).isZero();
		}
	}

	@Test
	void limitOfARateHolds() {
		try (Application application = worker().start()) {
			RateLimit limit = RateLimit.of("api").rate(2, Duration.ofHours(1));
			List<Job> jobs = application.ojs()
				.enqueueAll(
						IntStream.range(0, 5).mapToObj((i) -> request("desk.note", "call").rateLimit(limit)).toList());
			await().until(() -> Desk.runs.size() == 2);
			Job last = application.ojs().enqueue(request("desk.note", "no limit"));
			awaitState(application, last, JobState.COMPLETED);
			assertThat(Desk.runs).hasSize(3);
			assertThat(jobs).filteredOn((job) -> find(application, job.id()).state() == JobState.COMPLETED).hasSize(2);
		}
	}

	@Test
	void jobsAreFetchedInTheOrderOfTheirPriorities() {
		try (Application application = worker().property("ojs.queues.desk.concurrency", 1).start()) {
			Queues queues = application.bean(Queues.class);
			queues.pause("desk");
			List<Integer> priorities = new ArrayList<>(IntStream.rangeClosed(-10, 10).boxed().toList());
			Collections.shuffle(priorities, new Random(7));
			List<Job> jobs = application.ojs()
				.enqueueAll(priorities.stream()
					.map((priority) -> request("desk.note", priority.toString()).priority(priority))
					.toList());
			queues.resume("desk");
			awaitCompleted(jobs);
			assertThat(Desk.notes.stream().map(Integer::valueOf)).isSortedAccordingTo(Collections.reverseOrder());
		}
	}

	@Test
	void workflowGoesFromStepToStep() {
		try (Application application = worker().start()) {
			Workflows workflows = application.bean(Workflows.class);
			WorkflowRun run = workflows.start(Workflow.chain("sum")
				.then(request("desk.add", 0, 1))
				.then(Workflow.group("many").add(request("desk.add", 1, 1)).add(request("desk.second")))
				.then(request("desk.parents")));
			await().until(() -> workflows.find(run.id()).orElseThrow().state().isTerminal());
			WorkflowRun ended = workflows.find(run.id()).orElseThrow();
			assertThat(ended.state()).isEqualTo(WorkflowState.COMPLETED);
			assertThat(String.valueOf(ended.steps().get(2).result())).isEqualTo("[1, [2, null]]");
		}
	}

	@Test
	void cancelledJobsDoNotRunAndThoseThatRunAreInterrupted() {
		try (Application application = quick(worker()); Application other = producer().start()) {
			awaitKnown(other);
			List<Job> jobs = application.ojs()
				.enqueueAll(IntStream.range(0, 6).mapToObj((i) -> request("desk.wait")).toList());
			// Two run, two are fetched in advance, and two wait in the store.
			await().until(() -> Desk.runs.size() == CONCURRENCY && count(JobState.ACTIVE) == 4);
			List<Job> fetched = jobs.stream()
				.filter((job) -> find(application, job.id()).state() == JobState.ACTIVE
						&& !Desk.runs.contains(job.id()))
				.toList();
			Job waiting = jobs.stream()
				.filter((job) -> find(application, job.id()).state() == JobState.AVAILABLE)
				.findFirst()
				.orElseThrow();
			Job running = jobs.stream().filter((job) -> Desk.runs.contains(job.id())).findFirst().orElseThrow();
			application.ojs().cancel(waiting);
			application.ojs().cancel(fetched.get(0));
			other.ojs().cancel(fetched.get(1));
			for (Job job : List.of(waiting, fetched.get(0), fetched.get(1))) {
				awaitState(application, job, JobState.CANCELLED);
			}
			other.ojs().cancel(running);
			await().untilAsserted(() -> assertThat(Desk.interrupted).hasValue(1));
			await().until(() -> count(JobState.CANCELLED) == 4 && Desk.runs.size() == 3);
			Desk.open.countDown();
			await().until(() -> count(JobState.COMPLETED) == 2);
			assertThat(Desk.runs).hasSize(3).doesNotContain(waiting.id(), fetched.get(0).id(), fetched.get(1).id());
			for (Job job : List.of(waiting, fetched.get(0), fetched.get(1), running)) {
				await().untilAsserted(() -> assertThat(application.events(job.id()).contains("job.cancelled")
						|| other.events(job.id()).contains("job.cancelled"))
					.isTrue());
			}
		}
	}

	@Test
	void pausedQueueIsNotFetchedFromAndResumedOneIs() {
		try (Application here = producer().start(); Application there = worker().start()) {
			awaitKnown(here);
			Queues queues = here.bean(Queues.class);
			Job first = here.ojs().enqueue(request("desk.note", "first"));
			awaitState(here, first, JobState.COMPLETED);
			queues.pause("desk");
			await().until(() -> there.bean(JobWorker.class).containers().isEmpty());
			Job second = here.ojs().enqueue(request("desk.note", "second"));
			await().during(Duration.ofSeconds(2)).until(() -> find(here, second.id()).state() == JobState.AVAILABLE);
			queues.resume("desk");
			awaitState(here, second, JobState.COMPLETED);
			assertThat(Desk.notes).containsExactly("first", "second");
		}
	}

	@Test
	void queueThatIsPausedWhenItsWorkerStartsIsTheStores() {
		try (Application before = worker().start()) {
			before.bean(Queues.class).pause("desk");
		}
		try (Application application = worker().start()) {
			assertThat(application.bean(FetchedQueues.class).delivers("desk")).isTrue();
			Job job = application.ojs().enqueue(request("desk.note", "later"));
			await().during(Duration.ofSeconds(2))
				.until(() -> find(application, job.id()).state() == JobState.AVAILABLE);
			application.bean(Queues.class).resume("desk");
			awaitState(application, job, JobState.COMPLETED);
		}
	}

	@Test
	void pauseGivesBackWhatHasNotBegun() {
		try (Application application = quick(worker())) {
			application.ojs().enqueueAll(IntStream.range(0, 6).mapToObj((i) -> request("desk.wait")).toList());
			await().until(() -> Desk.runs.size() == CONCURRENCY && count(JobState.ACTIVE) == 4);
			application.bean(Queues.class).pause("desk");
			await().until(() -> count(JobState.ACTIVE) == CONCURRENCY);
			assertThat(attempts()).containsEntry(0, 4).containsEntry(1, CONCURRENCY);
			Desk.open.countDown();
			await().until(() -> count(JobState.COMPLETED) == CONCURRENCY);
			application.bean(Queues.class).resume("desk");
			await().until(() -> count(JobState.COMPLETED) == 6);
			assertThat(attempts()).containsOnlyKeys(1);
			assertThat(Desk.runs).hasSize(6).doesNotHaveDuplicates();
		}
	}

	@Test
	void stopEndsWhatRunsAndGivesBackWhatHasNotBegun() {
		Application first = quick(worker());
		List<Job> jobs;
		try (first) {
			jobs = first.ojs().enqueueAll(IntStream.range(0, 6).mapToObj((i) -> request("desk.wait")).toList());
			await().until(() -> Desk.runs.size() == CONCURRENCY && count(JobState.ACTIVE) == 4);
			Thread foreman = new Thread(() -> {
				await().pollInSameThread().until(() -> count(JobState.ACTIVE) == CONCURRENCY);
				Desk.open.countDown();
			});
			foreman.setDaemon(true);
			foreman.start();
		}
		assertThat(Desk.runs).hasSize(CONCURRENCY);
		assertThat(attempts()).containsEntry(0, 4).containsEntry(1, CONCURRENCY);
		assertThat(count(JobState.COMPLETED)).isEqualTo(CONCURRENCY);
		try (Application second = worker().start()) {
			awaitCompleted(jobs);
			assertThat(second.events()).isNotEmpty();
		}
		assertThat(attempts()).containsOnlyKeys(1);
		assertThat(Desk.runs).hasSize(6).doesNotHaveDuplicates();
	}

	@Test
	void timeThatAJobWaitsForItsThreadIsNotTimeOfItsHandler() {
		try (Application application = quick(worker().property("ojs.queues.desk.concurrency", 1))) {
			Job first = application.ojs().enqueue(request("desk.wait"));
			await().until(() -> Desk.runs.contains(first.id()));
			Job second = application.ojs().enqueue(request("desk.add", 1, 1));
			await().until(() -> count(JobState.ACTIVE) == 2);
			await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
			Desk.open.countDown();
			awaitCompleted(List.of(first, second));
			await().until(() -> application.events(second.id()).contains("job.completed"));
			assertThat(application.events()).filteredOn((event) -> event.job().id().equals(second.id()))
				.filteredOn(JobEvent.Completed.class::isInstance)
				.singleElement()
				.satisfies((event) -> assertThat(((JobEvent.Completed) event).duration())
					.isLessThan(Duration.ofSeconds(1)));
		}
	}

	@Test
	void whatOperatorsSeeOfSuchAQueue() {
		try (Application application = quick(
				worker().managed().property("management.endpoint.health.show-details", "always"))) {
			List<Job> jobs = application.ojs()
				.enqueueAll(IntStream.range(0, 6).mapToObj((i) -> request("desk.wait")).toList());
			await().until(() -> Desk.runs.size() == CONCURRENCY && count(JobState.ACTIVE) == 4);
			await().untilAsserted(() -> {
				JsonNode report = json(application, "/actuator/ojs/desk");
				JsonNode worker = report.get("queues").get(0).get("worker");
				assertThat(worker.get("concurrency").asInt()).isEqualTo(CONCURRENCY);
				assertThat(worker.get("consumers").asInt()).isEqualTo(CONCURRENCY);
				assertThat(worker.get("running")).hasSize(CONCURRENCY);
			});
			JsonNode health = json(application, "/actuator/health");
			assertThat(health.get("status").asString()).isEqualTo("UP");
			Desk.open.countDown();
			awaitCompleted(jobs);
			await().untilAsserted(() -> {
				Scrape scrape = Scrape.of(application);
				assertThat(scrape.value("ojs_job_completed_total", "queue", "desk")).isEqualTo(6 + 4);
				assertThat(scrape.value("ojs_amqp_messages_published_total", "queue", "desk", "purpose", "job"))
					.isZero();
			});
		}
	}

	private static JsonNode json(Application application, String path) {
		return JsonMapper.shared().readTree(application.get(path).body());
	}

	/**
	 * A run that is to come.
	 *
	 * @param jobId the job
	 * @param run the number of the run, from 0
	 * @param due when it is to begin
	 */
	private record Expected(String jobId, int run, Supplier<Instant> due) {

		boolean hasRun() {
			return Desk.times.getOrDefault(this.jobId, List.of()).size() > this.run;
		}

		Duration late() {
			return Duration.between(this.due.get(), Desk.times.get(this.jobId).get(this.run));
		}

	}

}
