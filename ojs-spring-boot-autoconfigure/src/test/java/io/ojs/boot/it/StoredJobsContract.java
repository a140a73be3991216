package io.ojs.boot.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.client.EncodedJob;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobState;
import io.ojs.job.Rfc3339;
import io.ojs.json.JsonJobCodec;
import io.ojs.store.JobStore;
import io.ojs.store.NewJob;
import io.ojs.store.StoredJob;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Working jobs that a store knows. Jobs are put into it and published by hand, as a relay
 * would, or published by a client that knows nothing of it.
 */
abstract class StoredJobsContract extends BrokerTest {

	private static final String JOBS = "ojs.queue.desk";

	private static final String DEAD = "ojs.queue.dlx.desk";

	private static final String CONTROL = "ojs.queue.control.desk";

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	abstract String url();

	abstract String username();

	abstract String password();

	@BeforeEach
	void beginWork() {
		Desk.runs.clear();
		Desk.ended.set(0);
		Desk.open = new CountDownLatch(1);
	}

	@AfterEach
	void endWork() {
		Desk.open.countDown();
	}

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
			publish(job.id(), job.type(), "[]");
			publish(job.id(), job.type(), "[]");
			await().until(() -> client().count(JOBS) == 0);
			Instant due = find(application, job.id()).dueAt();
			await().until(() -> application.events(job.id()).contains("job.completed"));
			assertThat(Instant.now()).isAfter(due.minusSeconds(1));
			assertThat(Desk.runs).hasSize(2);
		}
	}

	@Test
	void jobWithoutAttemptsLeftIsADeadLetterInBothPlaces() {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.never");
			publish(job.id(), job.type(), "[]");
			GetResponse dead = client().take(DEAD);
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
	void jobThatCameTooLateIsNotRun() {
		try (Application application = worker().start()) {
			Job job = insert(application, builder("desk.add").expiresAt(Rfc3339.utc(Instant.now().minusSeconds(1))));
			publish(job.id(), job.type(), "[1,1]");
			assertThat(RawClient.headers(client().take(DEAD))).containsEntry("x-ojs-error-code", "JOB_EXPIRED");
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
					"\"state\":\"completed\"", "\"result\":\"no luck at attempt 1\"", "\"attempt\":2", "\"errors\":[{");
			control("ojs.control.info", this.ids.next(), replies);
			assertThat(new String(client().take(replies).getBody(), StandardCharsets.UTF_8)).contains("NOT_FOUND");
		}
	}

	@Test
	void connectionThatIsLostMeanwhileNeitherEndsNorRepeatsTheJob() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = worker(proxy.uri(ownVirtualHost())).start()) {
			Job job = insert(application, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			proxy.reset();
			// The broker hands it out again, and the store says that it is being run.
			await().until(() -> client().count(JOBS) == 0 && proxy.attempts().size() > 2);
			Desk.open.countDown();
			await().until(() -> find(application, job.id()).job().state() == JobState.COMPLETED);
			await().until(() -> application.events(job.id()).contains("job.completed"));
			String last = this.ids.next();
			publish(last, "desk.add", "[1,1]");
			await().until(() -> application.events(last).contains("job.completed"));
			assertThat(Desk.runs).containsExactly(job.id(), last);
		}
		assertThat(client().count(JOBS)).isZero();
	}

	@Test
	void databaseThatIsAwayCostsNoSecondRun() {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			StoreBeans.GatedDataSource database = application.bean(StoreBeans.GatedDataSource.class);
			database.away.set(true);
			Desk.open.countDown();
			await().until(() -> Desk.ended.get() == 1);
			String next = this.ids.next();
			publish(next, "desk.add", "[1,1]");
			await().during(Duration.ofSeconds(3))
				.atMost(Duration.ofSeconds(10))
				.until(() -> application.worked(job.id()).equals(List.of("job.started"))
						&& Desk.runs.equals(List.of(job.id())));
			database.away.set(false);
			await().until(() -> application.events(job.id()).contains("job.completed")
					&& application.events(next).contains("job.completed"));
			assertThat(find(application, job.id()).job().state()).isEqualTo(JobState.COMPLETED);
			assertThat(Desk.runs).containsExactly(job.id(), next);
		}
		assertThat(client().count(JOBS)).isZero();
	}

	@Test
	void jobThatIsCutOffByTheStopIsAtOnceAnothersToRun() {
		try (Application observer = application(StoreBeans.class).property("ojs.worker.enabled", false)
			.property("test.database.url", url())
			.property("test.database.username", username())
			.property("test.database.password", password())
			.start()) {
			Application first = worker().property("ojs.worker.shutdown-grace", "1s").start();
			Job job = insert(first, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			first.close();
			assertThat(find(observer, job.id()).job().state()).isEqualTo(JobState.AVAILABLE);
			try (Application second = worker().start()) {
				await().atMost(Duration.ofSeconds(15)).until(() -> Desk.runs.size() == 2);
				Desk.open.countDown();
				await().until(() -> second.events(job.id()).contains("job.completed"));
				assertThat(find(second, job.id()).job().attempt()).isEqualTo(2);
			}
		}
	}

	private Application.Starter worker() {
		return worker(uri());
	}

	private Application.Starter worker(String uri) {
		return Application.on(uri)
			.with(Desk.class, StoreBeans.class)
			.property("test.database.url", url())
			.property("test.database.username", username())
			.property("test.database.password", password())
			.property("ojs.queues.desk.retry.max-attempts", 2)
			.property("ojs.worker.shutdown-grace", "2s");
	}

	private static StoredJob find(Application application, String id) {
		return application.bean(JobStore.class).find(id).orElseThrow();
	}

	private JobBuilder builder(String type) {
		return Job.builder(this.ids.next(), type, "desk")
			.args(type.equals("desk.add") ? List.of(1, 1) : List.of())
			.state(JobState.AVAILABLE)
			.createdAt(Rfc3339.utc(Instant.now()))
			.enqueuedAt(Rfc3339.utc(Instant.now()));
	}

	private Job insert(Application application, String type) {
		return insert(application, builder(type));
	}

	private static Job insert(Application application, JobBuilder builder) {
		Job job = builder.build();
		application.bean(JobStore.class)
			.insert(List.of(new NewJob(new EncodedJob(job, new JsonJobCodec().encode(job), 2), Map.of(),
					Instant.now().plusSeconds(60))));
		return job;
	}

	private void publish(String id, String type, String args) {
		client().publishJob("desk", id, type, args);
	}

	private void control(String type, String jobId, String replyTo) throws IOException {
		client().channel()
			.basicPublish("ojs.exchange.direct", CONTROL,
					new BasicProperties.Builder().type(type).replyTo(replyTo).correlationId(jobId).build(),
					"{\"job_id\":\"%s\"}".formatted(jobId).getBytes(StandardCharsets.UTF_8));
	}

	static class Desk {

		private static final List<String> runs = new CopyOnWriteArrayList<>();

		private static final AtomicInteger ended = new AtomicInteger();

		private static CountDownLatch open = new CountDownLatch(1);

		@OjsJobHandler(value = "desk.add", queue = "desk", concurrency = 2)
		int add(int one, int other, JobContext context) {
			runs.add(context.job().id());
			return one + other;
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		String second(JobContext context) {
			runs.add(context.job().id());
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck at attempt 1");
			}
			return context.job().errors().get(0).message();
		}

		@OjsJobHandler(value = "desk.never", queue = "desk")
		void never(JobContext context) {
			throw new IllegalStateException("no luck at attempt " + context.attempt());
		}

		@OjsJobHandler(value = "desk.wait", queue = "desk")
		void await(JobContext context) throws InterruptedException {
			runs.add(context.job().id());
			try {
				open.await();
			}
			finally {
				ended.incrementAndGet();
			}
		}

	}

}
