package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.client.DuplicateJobException;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.UniqueDimension;
import io.ojs.queue.DeletionStrategy;
import io.ojs.queue.JobTypeNotAllowedException;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.Queues;
import io.ojs.queue.UnknownQueueException;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What an application with a database has, all of it together, in two instances.
 */
class StoredQueuesTests extends BrokerTest {

	private PostgresDatabase database;

	@BeforeEach
	void createDatabase() {
		this.database = StoreDatabases.create();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter instance() {
		return application().with(Notes.class)
			.database(this.database.url(), this.database.username(), this.database.password());
	}

	private static void awaitState(Application application, Job job, JobState state) {
		await().untilAsserted(() -> assertThat(application.ojs().find(job.id()).map(Job::state)).hasValue(state));
	}

	@Test
	void whatOneInstanceSaysOfQueuesTheOtherObeys() {
		try (Application here = instance().property("ojs.worker.enabled", false).start();
				Application there = instance().start()) {
			Queues queues = here.bean(Queues.class);
			awaitState(here, here.ojs().enqueue("note", "first"), JobState.COMPLETED);
			queues.pause("notes");
			// Nobody may take longer to hear of it.
			await().atMost(Duration.ofSeconds(10)).until(() -> client().consumers("ojs.queue.notes") == 0);
			Job waits = here.ojs().enqueue("note", "second");
			await().until(() -> client().count("ojs.queue.notes") == 1);
			assertThat(there.ojs().find(waits.id()).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
			queues.resume("notes");
			awaitState(there, waits, JobState.COMPLETED);
			assertThat(there.bean(Notes.class).texts).containsExactly("first", "second");
		}
	}

	@Test
	void queuesTakeWhatTheyWereSaidToTake() {
		try (Application application = instance().property("ojs.worker.enabled", false)
			.property("ojs.strict-queues", true)
			.property("ojs.queues.[small].max-size", 2)
			.start()) {
			assertThatExceptionOfType(UnknownQueueException.class)
				.isThrownBy(() -> application.ojs().enqueue(JobRequest.of("note").queue("unheard-of")));
			Queues queues = application.bean(Queues.class);
			queues.create("mails", QueueConfig.builder().allowedJobTypes(List.of("email.*")).build());
			application.ojs().enqueue(JobRequest.of("email.send").queue("mails"));
			assertThatExceptionOfType(JobTypeNotAllowedException.class)
				.isThrownBy(() -> application.ojs().enqueue(JobRequest.of("note").queue("mails")));
			JobRequest small = JobRequest.of("note").queue("small");
			assertThatExceptionOfType(QueueFullException.class)
				.isThrownBy(() -> application.ojs().enqueueAll(List.of(small, small, small)));
			application.ojs().enqueueAll(List.of(small, small));
			assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> application.ojs().enqueue(small));
			assertThat(queues.stats("small").depth()).isEqualTo(2);
			queues.delete("mails", new DeletionStrategy.Discard());
			assertThat(queues.stats("mails").depth()).isZero();
		}
	}

	@Test
	@Tag("QC-6.5-1")
	@Tag("QC-6.5-2")
	void jobsOfOtherProducersThatAQueueDoesNotTakeAreDeadLetters() {
		try (Application application = instance().start()) {
			Queues queues = application.bean(Queues.class);
			queues.create("notes", QueueConfig.builder().allowedJobTypes(List.of("email.*")).build());
			String wrong = publishNote();
			await().untilAsserted(() -> assertThat(errors(application, wrong)).extracting(JobError::code)
				.containsExactly("JOB_TYPE_NOT_ALLOWED"));
			queues.configure("notes",
					QueueConfig.builder().allowedJobTypes(List.of("*")).producers(List.of("partner")).build());
			String stranger = publishNote();
			await().untilAsserted(() -> assertThat(errors(application, stranger)).extracting(JobError::code)
				.containsExactly("PERMISSION_DENIED"));
			assertThat(application.bean(DeadLetters.class).get(wrong)).isPresent();
			queues.configure("notes", QueueConfig.builder().producers(List.of("stranger")).build());
			String welcome = publishNote();
			await().untilAsserted(
					() -> assertThat(application.ojs().find(welcome).map(Job::state)).hasValue(JobState.COMPLETED));
			assertThat(application.bean(Notes.class).texts).containsExactly("foreign");
		}
	}

	/** None as well as long as the store has not seen the job. */
	private static List<JobError> errors(Application application, String id) {
		return application.ojs().find(id).map(Job::errors).orElse(List.of());
	}

	private String publishNote() {
		String id = new JobIdGenerator(Clock.systemUTC()).next();
		client().publish("notes", RawClient.properties(id, "note").appId("stranger").build(),
				RawClient.envelope(id, "note", "notes", "[\"foreign\"]"));
		return id;
	}

	@Test
	void jobsThatAreMovedRunOnceAndFromTheirNewQueue() {
		try (Application application = instance().with(Errands.class).start()) {
			Errands errands = application.bean(Errands.class);
			Queues queues = application.bean(Queues.class);
			queues.create("old", QueueConfig.NONE);
			queues.pause("old");
			await().until(() -> client().consumers("ojs.queue.old") == 0);
			List<Job> jobs = application.ojs()
				.enqueueAll(IntStream.range(0, 20).mapToObj((i) -> JobRequest.of("errand").queue("old")).toList());
			await().until(() -> client().count("ojs.queue.old") == 20);
			assertThat(queues.delete("old", new DeletionStrategy.Move("new")).jobsAffected()).isEqualTo(20);
			// Both are worked now: the old one has the messages that were left behind.
			jobs.forEach((job) -> awaitState(application, job, JobState.COMPLETED));
			await().until(() -> client().count("ojs.queue.old") == 0);
			await().until(() -> queues.list().stream().noneMatch((queue) -> queue.name().equals("old")));
			assertThat(errands.queues).hasSize(20).containsOnly("new");
			assertThat(jobs)
				.allSatisfy((job) -> assertThat(application.ojs().find(job.id()).orElseThrow().attempt()).isEqualTo(1));
		}
	}

	@Test
	void deadLetterIsFoundAndReplayed() {
		try (Application application = instance().start()) {
			Notes notes = application.bean(Notes.class);
			Job job = application.ojs()
				.enqueue(JobRequest.of("note", "stubborn").retry((retry) -> retry.maxAttempts(2)));
			awaitState(application, job, JobState.DISCARDED);
			Job dead = application.ojs().find(job.id()).orElseThrow();
			assertThat(dead.errors()).extracting((error) -> error.attempt()).containsExactly(1, 2);
			DeadLetters letters = application.bean(DeadLetters.class);
			assertThat(letters.get(job.id())).isPresent();
			notes.patient = true;
			letters.replay(job.id());
			awaitState(application, job, JobState.COMPLETED);
			assertThat(application.ojs().find(job.id()).orElseThrow().attempt()).isEqualTo(1);
			await().until(() -> client().count("ojs.queue.dlx.notes") == 0);
			// Listeners hear of it after it is committed.
			await().untilAsserted(() -> assertThat(application.events(job.id()))
				.containsSubsequence("job.retry_exhausted", "job.dead_lettered", "job.completed"));
			Supplier<List<String>> feed = () -> application.bean(EventFeed.class)
				.after(0, Set.of(), Set.of(), 100)
				.stream()
				.map((event) -> event.type())
				.toList();
			assertThat(feed.get()).containsSubsequence("job.enqueued", "job.started", "job.failed", "job.retrying",
					"job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered", "job.completed");
		}
	}

	@Test
	@Tag("PLAY-9-4")
	void jobThatIsUniqueIsEnqueuedOnce() {
		try (Application here = instance().property("ojs.worker.enabled", false).start();
				Application there = instance().property("ojs.worker.enabled", false).start()) {
			JobRequest once = JobRequest.of("note", "once").unique((unique) -> unique.keys(UniqueDimension.ARGS));
			Job job = here.ojs().enqueue(once);
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> there.ojs().enqueue(once))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(job.id()));
			here.ojs().cancel(job.id());
			there.ojs().enqueue(once);
		}
	}

	static class Errands {

		/** Whose consumers ran them. */
		private final List<String> queues = new CopyOnWriteArrayList<>();

		@OjsJobHandler(value = "errand", queue = "new")
		void errand() {
			this.queues.add(MDC.get("ojs.job.queue"));
		}

		@OjsJobHandler(value = "other-errand", queue = "old")
		void otherErrand() {
			this.queues.add("other");
		}

	}

	static class Notes {

		private final List<String> texts = new CopyOnWriteArrayList<>();

		private volatile boolean patient;

		@OjsJobHandler(value = "note", queue = "notes")
		void note(String text, JobContext context) {
			if (text.equals("stubborn") && !this.patient) {
				throw new IllegalStateException("not yet, at attempt " + context.attempt());
			}
			this.texts.add(text);
		}

	}

}
